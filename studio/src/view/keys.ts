// Keys. Single letters can be switched off, for those whose reader or hands need them for other things.

import type { QuantitiesPanel } from '../quantities/panel.ts';
import type { Stage } from '../scene/stage.ts';
import type { Preset } from '../scene/camera.ts';
import { recall, remember } from '../state/preferences.ts';
import type { Face, Task } from '../state/store.ts';
import type { App } from './app.ts';
import { h } from './dom.ts';
import { goHome, goRandom, nudge } from './joints.ts';
import { closePalette } from './palette.ts';
import { toggle } from './tools.ts';

const list: [string, string][] = [
  ['Ctrl K', 'palette'], ['1 … 4', 'tabs'], ['[ ]', 'previous, next joint'], ['← →', 'move it 1 %, Shift 10 %, Alt 0.1 %'], ['H', 'home'], ['R', 'random'],
  ['V F C', 'faces Values, Formula, Code'], ['Space', 'play'], [', .', 'step'], ['L', 'copy LaTeX or code'], ['T', 'light or dark'], ['D', 'radians or degrees'],
  ['G M I E', 'frames, centres of mass, inertia, ellipsoid'], ['Shift 1 … 4', 'perspective, front, side, top'], ['Z', 'previous view'], ['W', 'right side to full width; Shift W: the stage'], ['Ctrl Z', 'undo'], ['Ctrl Shift Z', 'redo'], ['?', 'this list'], ['Esc', 'deselect, close'],
];

export interface KeyTargets {
  stage: Stage;
  quantities: QuantitiesPanel;
  play: () => void;
  step: (by: number) => void;
}

export function keys(app: App, targets: KeyTargets): () => void {
  const { store, session } = app;
  const tasks: Task[] = ['quantities', 'reach', 'parameters', 'motion'];
  const presets: Preset[] = ['perspective', 'front', 'side', 'top'];
  let help: HTMLElement | null = null;
  const closeHelp = (): boolean => {
    const was = help !== null;
    help?.remove();
    help = null;
    return was;
  };
  const showHelp = (): void => {
    if (closeHelp()) return;
    const off = h('input', { type: 'checkbox', id: 'single-keys', checked: recall('single-keys') !== 'off', onchange: () => remember('single-keys', off.checked ? null : 'off') });
    help = h('div', { class: 'palette', onpointerdown: (event: PointerEvent) => { if (event.target === help) closeHelp(); } },
      h('div', { class: 'box', role: 'dialog', 'aria-label': 'Keys' }, h('div', { class: 'sec', style: 'padding:16px 18px 6px' }, 'Keys', h('span', { class: 'spacer' }), off, h('label', { for: 'single-keys', class: 'sm muted' }, 'single keys')),
        h('div', { class: 'keys' }, ...list.map(([key, text]) => h('div', {}, h('kbd', {}, key), text)))));
    document.body.append(help);
    off.focus();
  };
  const face = (to: Face): void => {
    const card = targets.quantities.focused()?.card;
    if (card) store.set({ cards: store.now.cards.map((one) => (one.id === card.id ? { ...one, face: to, folded: false } : one)) });
  };
  const selectJoint = (by: number): void => {
    const m = session.model;
    if (!m || m.moving.length === 0) return;
    const at = m.moving.findIndex((joint) => m.scene.links[joint.link]?.name === store.now.selected);
    const next = m.moving[(at + by + m.moving.length + (at < 0 && by < 0 ? 1 : 0)) % m.moving.length];
    if (next) store.set({ selected: m.scene.links[next.link]?.name ?? null });
  };
  const move = (sign: number, event: KeyboardEvent): boolean => {
    const m = session.model;
    const joint = m?.moving.find((one) => m.scene.links[one.link]?.name === store.now.selected);
    if (!joint) return false;
    nudge(app, joint, sign, event);
    return true;
  };
  const single: Record<string, () => void> = {
    h: () => goHome(app), r: () => goRandom(app), v: () => face('values'), f: () => face('formula'), c: () => face('code'), l: () => targets.quantities.focused()?.copy(),
    t: () => store.set({ theme: store.now.theme === 'dark' ? 'light' : 'dark' }), d: () => store.set({ unit: store.now.unit === 'rad' ? 'deg' : 'rad' }),
    g: () => toggle(app, 'frames'), m: () => toggle(app, 'com'), i: () => toggle(app, 'inertia'), e: () => toggle(app, 'ellipsoid'), z: () => targets.stage.camera.back(),
    '[': () => selectJoint(-1), ']': () => selectJoint(1), ' ': () => targets.play(), ',': () => targets.step(-1), '.': () => targets.step(1),
  };
  addEventListener('keyup', (event) => {
    if (event.key.startsWith('Arrow')) store.endStep();
  });
  addEventListener('keydown', (event) => {
    const control = event.ctrlKey || event.metaKey;
    if (control && event.key.toLowerCase() === 'k') return done(event, () => app.palette('all'));
    const typing = (event.target as HTMLElement).matches('input:not([type=range]):not([type=checkbox]), textarea, select');
    if (control && event.key.toLowerCase() === 'z' && !typing) return done(event, () => (event.shiftKey ? store.redo() : store.undo()));
    if (event.key === 'Escape') {
      if (closePalette() || closeHelp()) return;
      if (document.querySelector('.sheet')) document.querySelector('.sheet')?.remove();
      else store.set({ selected: null });
      return;
    }
    if (typing || control || event.altKey && !event.key.startsWith('Arrow')) return;
    if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
      if (move(event.key === 'ArrowRight' ? 1 : -1, event)) event.preventDefault();
      return;
    }
    if (event.key === '?') return done(event, showHelp);
    const digit = /^Digit([1-4])$/.exec(event.code)?.[1];
    if (digit) return done(event, () => (event.shiftKey ? targets.stage.camera.go(presets[Number(digit) - 1] ?? 'perspective') : store.set({ task: tasks[Number(digit) - 1] ?? 'quantities' })));
    if (recall('single-keys') === 'off') return;
    if (event.key.toLowerCase() === 'w') return done(event, () => widen(event.shiftKey ? 'wide-stage' : 'wide-right'));
    if (event.shiftKey) return;
    if (event.key === ' ' && (event.target as HTMLElement).matches('button, summary')) return;
    const act = single[event.key];
    if (act) done(event, act);
  });
  return showHelp;
}

/** One side takes the whole width, or gives it back. */
export function widen(side: 'wide-right' | 'wide-stage'): void {
  const app = document.getElementById('app');
  app?.classList.remove(side === 'wide-right' ? 'wide-stage' : 'wide-right');
  app?.classList.toggle(side);
}

function done(event: KeyboardEvent, act: () => void): void {
  event.preventDefault();
  act();
}
