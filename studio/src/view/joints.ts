// One row per joint: symbol, name, typed value, slider. Rows are made once per robot; a new position moves thumbs by transforms.

import { fixed, exact } from '../numbers/format.ts';
import { parseValue } from '../numbers/parse.ts';
import { randomPosition, type Model, type Moving } from '../state/model.ts';
import { jointStyle } from './colours.ts';
import { fill, h, press, segmented } from './dom.ts';
import { icon } from './icons.ts';
import { symbol } from './symbols.ts';
import type { App } from './app.ts';

const many = 12;

interface Row { joint: Moving; root: HTMLElement; show(value: number): void }

export function jointsPanel(app: App): HTMLElement {
  const { store, session } = app;
  const list = h('div', { class: 'joints' });
  const units = segmented('Unit of angles', [['rad', 'rad'], ['deg', 'deg']], store.now.unit, (unit) => store.set({ unit }));
  const root = h('section', { 'aria-label': 'Joints' },
    h('div', { class: 'sec' }, 'Joints', h('div', { class: 'spacer' }), units,
      h('button', { class: 'btn icon', type: 'button', 'aria-label': 'Home', title: 'Home (H)', onclick: () => goHome(app) }, icon('home')),
      h('button', { class: 'btn icon', type: 'button', 'aria-label': 'Random', title: 'Random position (R)', onclick: () => goRandom(app) }, icon('dice'))),
    list);
  let rows: Row[] = [];
  const show = (): void => {
    for (const row of rows) row.show(store.now.q[row.joint.coordinate] ?? 0);
  };
  const build = (): void => {
    const m = session.model;
    rows = m ? m.moving.map((joint) => row(app, joint)) : [];
    fill(list, ...(m ? [...freeParts(app, m), ...grouped(m, rows)] : []));
    show();
    select();
  };
  const select = (): void => {
    const link = session.model?.scene.links.findIndex((l) => l.name === store.now.selected) ?? -1;
    for (const one of rows) one.root.classList.toggle('sel', one.joint.link === link);
  };
  session.onRobot(build);
  store.on(['q'], show);
  store.on(['selected'], select);
  store.on(['unit'], () => {
    press(units, store.now.unit);
    show();
  });
  return root;
}

export function goHome(app: App): void {
  const m = app.session.model;
  if (m) app.store.set({ q: [...m.home], time: null });
}

export function goRandom(app: App): void {
  const m = app.session.model;
  if (m) app.store.set({ q: randomPosition(m, app.store.now.q), time: null });
}

/** Sets one joint; the same `step` for all changes of one drag. */
export function moveJoint(app: App, joint: Moving, value: number, step: string | null): void {
  const q = [...app.store.now.q];
  q[joint.coordinate] = value;
  app.store.set({ q, time: null }, step);
}

function row(app: App, joint: Moving): Row {
  const { store } = app;
  const { lower, upper } = joint;
  const step = `joint ${joint.index}`;
  const degrees = (): boolean => store.now.unit === 'deg' && !joint.prismatic;
  const text = (value: number, digits: number | null): string => {
    const v = degrees() ? (value * 180) / Math.PI : value;
    return digits === null ? exact(v) : fixed(v, degrees() ? Math.max(1, digits - 2) : digits);
  };
  const filled = h('div', { class: 'filled' });
  const rail = h('div', { class: 'rail' }, h('div', { class: 'thumb' }));
  const range = h('input', {
    type: 'range', 'data-joint': joint.name, 'aria-label': `joint ${joint.name}`, min: lower, max: upper, step: 'any',
    oninput: () => moveJoint(app, joint, Number(range.value), step),
    onchange: () => store.endStep(),
    onkeydown: (event: KeyboardEvent) => arrow(event),
    onfocus: () => store.set({ selected: app.session.model?.scene.links[joint.link]?.name ?? null }),
  });
  const unit = h('span', { class: 'unit' }, joint.unit);
  const value = h('input', {
    class: 'value', 'aria-label': `${joint.name} value`, autocomplete: 'off', spellcheck: 'false',
    onfocus: () => {
      value.value = text(store.now.q[joint.coordinate] ?? 0, null);
      value.select();
    },
    onblur: () => {
      root.classList.remove('wrong');
      show(store.now.q[joint.coordinate] ?? 0);
    },
    onkeydown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') take();
      if (event.key === 'Escape') value.blur();
    },
    onchange: () => take(),
  });
  const zero = h('div', { class: 'zero' });
  const share = (v: number): number => Math.min(1, Math.max(0, (v - lower) / (upper - lower)));
  if (lower < 0 && upper > 0) zero.style.left = `${100 * share(0)}%`;
  else zero.classList.add('hidden');
  const root = h('div', { class: 'joint', style: jointStyle(joint.index) },
    h('div', { class: 'head' }, symbol('q', joint.coordinate + 1),
      h('button', { class: 'name', type: 'button', title: joint.name, onclick: () => store.set({ selected: app.session.model?.scene.links[joint.link]?.name ?? null }) }, joint.name),
      value, unit),
    h('div', { class: joint.limited ? 'slider limited' : 'slider' }, h('div', { class: 'track' }), filled, zero, rail, range));

  function take(): void {
    const typed = parseValue(value.value, degrees());
    root.classList.toggle('wrong', typed === null);
    if (typed === null) return;
    moveJoint(app, joint, typed, null);
    show(typed);
  }
  function arrow(event: KeyboardEvent): void {
    const sign = event.key === 'ArrowRight' || event.key === 'ArrowUp' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowDown' ? -1 : 0;
    if (sign === 0) return;
    event.preventDefault();
    event.stopPropagation();
    nudge(app, joint, sign, event);
  }
  function show(v: number): void {
    const [x, z] = [share(v), share(0)];
    filled.style.transform = `translateX(${100 * Math.min(x, z)}%) scaleX(${Math.abs(x - z)})`;
    rail.style.transform = `translateX(${100 * x}%)`;
    if (document.activeElement !== value) value.value = text(v, 3);
    range.value = String(v);
    range.setAttribute('aria-valuetext', `${text(v, 2)} ${degrees() ? 'degrees' : joint.unit}, range ${text(lower, 2)} to ${text(upper, 2)}`);
    unit.textContent = degrees() ? 'deg' : joint.unit;
    const slack = 1e-9 * (upper - lower);
    root.classList.toggle('out', joint.limited && (v < lower - slack || v > upper + slack));
  }
  return { joint, root, show };
}

/** Moves a joint by 1 % of its range; Shift 10 %, Alt 0.1 %. */
export function nudge(app: App, joint: Moving, sign: number, keys: { shiftKey: boolean; altKey: boolean }): void {
  const share = keys.shiftKey ? 0.1 : keys.altKey ? 0.001 : 0.01;
  const now = app.store.now.q[joint.coordinate] ?? 0;
  const next = Math.min(joint.upper, Math.max(joint.lower, now + sign * share * (joint.upper - joint.lower)));
  moveJoint(app, joint, next, `joint ${joint.index}`);
}

/** More than twelve joints: by limb, with a field that filters. */
function grouped(m: Model, rows: Row[]): HTMLElement[] {
  if (rows.length <= many) return rows.map((one) => one.root);
  const limbOf = new Map<string, number>();
  m.scene.limbs.forEach((limb, i) => limb.forEach((link) => limbOf.set(link, i)));
  const groups = new Map<number, Row[]>();
  for (const one of rows) {
    const limb = limbOf.get(m.scene.links[one.joint.link]?.name ?? '') ?? 0;
    groups.set(limb, [...(groups.get(limb) ?? []), one]);
  }
  const filter = h('input', {
    class: 'filter', type: 'search', placeholder: 'Filter joints', 'aria-label': 'Filter joints',
    oninput: () => {
      for (const one of rows) one.root.classList.toggle('hidden', !one.joint.name.toLowerCase().includes(filter.value.toLowerCase()));
    },
  });
  const made = [...groups.values()].map((limb) => h('details', { class: 'group', open: true },
    h('summary', {}, limb.length > 1 ? `${limb[0]?.joint.name} … ${limb[limb.length - 1]?.joint.name}` : (limb[0]?.joint.name ?? ''), ` (${limb.length})`),
    ...limb.map((one) => one.root)));
  return [filter, ...made];
}

/** Joints of several numbers, such as a floating base: fields without sliders. Quaternions are kept at length one. */
function freeParts(app: App, m: Model): HTMLElement[] {
  const names = [...new Set(m.scene.coordinates.filter((c) => c.part !== '').map((c) => c.joint))];
  return names.map((name) => {
    const parts = m.scene.coordinates.map((c, i) => ({ ...c, i })).filter((c) => c.joint === name);
    const inputs = parts.map(({ part, i }) => {
      const field = h('input', {
        class: 'short', 'aria-label': `${name} ${part}`, value: exact(app.store.now.q[i] ?? 0), size: 5, style: 'width:100%',
        onchange: () => {
          const typed = parseValue(field.value);
          if (typed === null) return;
          const q = [...app.store.now.q];
          q[i] = typed;
          app.store.set({ q: normalised(m, name, q), time: null });
        },
      });
      app.store.on(['q'], () => {
        if (document.activeElement !== field && field.isConnected) field.value = fixed(app.store.now.q[i] ?? 0, 3);
      });
      return h('label', { class: 'xs muted' }, part, field);
    });
    return h('details', { class: 'group' }, h('summary', {}, name), h('div', { style: 'display:grid;grid-template-columns:repeat(4,1fr);gap:6px;padding:0 14px 8px 16px' }, ...inputs));
  });
}

function normalised(m: Model, joint: string, q: number[]): number[] {
  const places = m.scene.coordinates.map((c, i) => ({ ...c, i })).filter((c) => c.joint === joint && /^q[wxyz]$/.test(c.part)).map((c) => c.i);
  const length = Math.hypot(...places.map((i) => q[i] ?? 0));
  if (places.length === 4 && length > 0) for (const i of places) q[i] = (q[i] ?? 0) / length;
  return q;
}
