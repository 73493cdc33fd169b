// The handle of the right side where it is a sheet, on narrow screens: three stops, by drag, by keys, or by a tap.

import { h } from './dom.ts';

/** What shows the tabs only, what leaves the robot 45 % of the height, and all below the bar. */
const stops = ['120px', '55%', 'calc(100% - var(--layout-bar))'] as const;
const names = ['low', 'half', 'full'] as const;

export function grip(app: HTMLElement): HTMLElement {
  let at = 1;
  const go = (to: number): void => {
    at = Math.max(0, Math.min(stops.length - 1, to));
    app.style.setProperty('--sheet', stops[at] ?? '55%');
    handle.setAttribute('aria-valuenow', String(at));
    handle.setAttribute('aria-valuetext', names[at] ?? '');
  };
  const nearest = (height: number): number => {
    const heights = [120, 0.55 * innerHeight, innerHeight - 44];
    return heights.reduce((best, one, i) => (Math.abs(one - height) < Math.abs((heights[best] ?? 0) - height) ? i : best), 0);
  };
  const handle = h('div', {
    class: 'grip', role: 'slider', tabindex: 0, 'aria-label': 'Height of the results', 'aria-valuemin': 0, 'aria-valuemax': 2, 'data-testid': 'grip',
    onkeydown: (event: KeyboardEvent) => {
      const step = event.key === 'ArrowUp' ? 1 : event.key === 'ArrowDown' ? -1 : 0;
      if (step === 0) return;
      event.preventDefault();
      event.stopPropagation();
      go(at + step);
    },
    onpointerdown: (event: PointerEvent) => {
      handle.setPointerCapture(event.pointerId);
      const from = event.clientY;
      let last = from;
      const move = (to: PointerEvent): void => {
        last = to.clientY;
        app.style.setProperty('--sheet', `${Math.max(80, innerHeight - last)}px`);
      };
      handle.addEventListener('pointermove', move);
      handle.addEventListener('lostpointercapture', () => {
        handle.removeEventListener('pointermove', move);
        // A tap goes to the next stop.
        go(Math.abs(last - from) < 4 ? (at + 1) % stops.length : nearest(innerHeight - last));
      }, { once: true });
    },
  });
  go(1);
  return handle;
}
