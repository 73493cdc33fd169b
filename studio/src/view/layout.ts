// The frame of the page and its dividers, which move by hand only, by pointer or arrow keys, and are remembered.

import { recall, remember } from '../state/preferences.ts';
import { h } from './dom.ts';

interface Edge { name: 'left' | 'right' | 'dock'; least: number; most: () => number; usual: () => number }

const edges: Edge[] = [
  { name: 'left', least: 220, most: () => 360, usual: () => 264 },
  { name: 'right', least: 380, most: () => Math.min(720, innerWidth - 480), usual: () => (innerWidth >= 1400 ? 520 : innerWidth >= 1180 ? 452 : 400) },
  { name: 'dock', least: 120, most: () => innerHeight / 2, usual: () => 244 },
];

export function layout(app: HTMLElement): void {
  const sizes = new Map<string, number>();
  const apply = (): void => {
    for (const edge of edges) {
      const chosen = sizes.get(edge.name);
      const size = Math.round(Math.max(edge.least, Math.min(edge.most(), chosen ?? edge.usual())));
      if (edge.name === 'left' && innerWidth < 1180) app.style.removeProperty('--left');
      else app.style.setProperty(`--${edge.name}`, `${size}px`);
      const divider = app.querySelector<HTMLElement>(`.divider[data-edge=${edge.name}]`);
      if (!divider) continue;
      divider.setAttribute('aria-valuenow', String(size));
      if (edge.name === 'left') divider.style.left = `${size}px`;
      if (edge.name === 'right') divider.style.right = `${size - 4}px`;
      if (edge.name === 'dock') {
        divider.style.bottom = `${size - 4}px`;
        divider.style.right = `${Math.round(Math.max(380, sizes.get('right') ?? 452))}px`;
      }
    }
  };
  for (const edge of edges) {
    const kept = Number(recall(`size-${edge.name}`));
    if (kept > 0) sizes.set(edge.name, kept);
    app.append(divider(edge, (size) => {
      if (size === null) sizes.delete(edge.name);
      else sizes.set(edge.name, Math.max(edge.least, Math.min(edge.most(), size)));
      remember(`size-${edge.name}`, size === null ? null : String(sizes.get(edge.name)));
      apply();
    }, () => sizes.get(edge.name) ?? edge.usual()));
  }
  addEventListener('resize', apply);
  apply();
}

function divider(edge: Edge, set: (size: number | null) => void, now: () => number): HTMLElement {
  const vertical = edge.name !== 'dock';
  const element = h('div', {
    class: `divider ${vertical ? 'vertical' : 'horizontal'} ${edge.name}-edge`, role: 'separator', tabindex: 0, 'data-edge': edge.name,
    'aria-label': `Width of the ${edge.name} side`, 'aria-orientation': vertical ? 'vertical' : 'horizontal', 'aria-valuemin': edge.least, 'aria-valuemax': Math.round(edge.most()),
    ondblclick: () => set(null),
    onkeydown: (event: KeyboardEvent) => {
      const larger = { left: 'ArrowRight', right: 'ArrowLeft', dock: 'ArrowUp' }[edge.name];
      const smaller = { left: 'ArrowLeft', right: 'ArrowRight', dock: 'ArrowDown' }[edge.name];
      if (event.key !== larger && event.key !== smaller) return;
      event.preventDefault();
      event.stopPropagation();
      set(now() + (event.key === larger ? 16 : -16));
    },
    onpointerdown: (event: PointerEvent) => {
      element.setPointerCapture(event.pointerId);
      const move = (to: PointerEvent): void => set({ left: to.clientX, right: innerWidth - to.clientX, dock: innerHeight - to.clientY }[edge.name]);
      element.addEventListener('pointermove', move);
      element.addEventListener('lostpointercapture', () => element.removeEventListener('pointermove', move), { once: true });
    },
  });
  return element;
}
