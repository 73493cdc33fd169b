// What floats over the stage: views at the top, what is shown at the bottom, the size of the grid.

import type { Preset } from '../scene/camera.ts';
import { hasShapes } from '../scene/shapes.ts';
import type { Stage } from '../scene/stage.ts';
import type { Shown } from '../state/store.ts';
import { significant } from '../numbers/format.ts';
import { h } from './dom.ts';
import type { App } from './app.ts';

const presets: [Preset, string][] = [['perspective', 'Perspective'], ['front', 'Front'], ['side', 'Side'], ['top', 'Top']];

export function stageTools(app: App, stage: Stage): HTMLElement[] {
  const { store, session } = app;
  const views = h('div', { class: 'float', role: 'toolbar', 'aria-label': 'View' });
  for (const [preset, text] of presets) {
    views.append(h('button', { class: 'btn', type: 'button', 'data-preset': preset, onclick: () => stage.camera.go(preset) }, text));
  }
  const toggles: [keyof Shown, string][] = [['tool', 'Tool frame'], ['frames', 'Frames'], ['com', 'Centres of mass'], ['inertia', 'Inertia'], ['ellipsoid', 'Manipulability'], ['slice', 'Reachable slice'], ['shapes', 'Shapes'], ['ownColours', 'Own colours']];
  const shows = h('div', { class: 'over bl float', role: 'toolbar', 'aria-label': 'Show' });
  for (const [key, text] of toggles) {
    shows.append(h('button', { class: 'btn', type: 'button', 'data-show': key, onclick: () => toggle(app, key) }, text));
  }
  const grid = h('div', { class: 'over br xs muted' });
  let pressed: Preset | null = null;
  const showPreset = (): void => {
    if (pressed === stage.camera.preset) return;
    pressed = stage.camera.preset;
    for (const button of views.querySelectorAll('[data-preset]')) button.setAttribute('aria-pressed', String(button.getAttribute('data-preset') === pressed));
  };
  const showToggles = (): void => {
    const { shown } = store.now;
    for (const button of shows.querySelectorAll('[data-show]')) {
      const value = shown[button.getAttribute('data-show') as keyof Shown];
      button.setAttribute('aria-pressed', String(value !== false && value !== 'off'));
      if (button.getAttribute('data-show') === 'frames') button.textContent = value === 'all' ? 'All frames' : 'Frames';
    }
  };
  const showEllipsoid = (): void => {
    for (const key of ['ellipsoid', 'slice']) shows.querySelector(`[data-show=${key}]`)?.classList.toggle('hidden', store.now.task !== 'reach');
  };
  store.on(['task'], showEllipsoid);
  showEllipsoid();
  stage.beforeDraw.push(showPreset);
  store.on(['shown'], showToggles);
  session.onRobot(() => {
    const shaped = session.model !== null && hasShapes(session.model);
    for (const key of ['shapes', 'ownColours']) shows.querySelector(`[data-show=${key}]`)?.classList.toggle('hidden', !shaped);
    const step = stage.gridStep;
    grid.textContent = session.model ? `grid ${significant(step)} m` : '';
    for (const element of [views, shows]) element.classList.toggle('hidden', !session.model);
  });
  for (const element of [views, shows]) element.classList.add('hidden');
  showToggles();
  return [h('div', { class: 'over tl' }, views), shows, grid];
}

/** Frames go off, selected link with its neighbours, all; everything else is on or off. */
export function toggle(app: App, key: keyof Shown): void {
  const { shown } = app.store.now;
  if (key === 'frames') {
    const next = { off: 'selected', selected: 'all', all: 'off' } as const;
    app.store.set({ shown: { ...shown, frames: app.store.now.selected === null && shown.frames === 'off' ? 'all' : next[shown.frames] } });
  } else {
    app.store.set({ shown: { ...shown, [key]: !shown[key] } });
  }
}
