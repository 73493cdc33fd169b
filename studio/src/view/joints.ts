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

interface Row { joint: Moving; root: HTMLElement; show(): void }

/** Where the number that a slider moves stands, and how far it goes. */
function held(app: App, joint: Moving): { at: number; lower: number; upper: number; limited: boolean; unit: string } {
  const { edited } = app.store.now;
  if (edited === 'q') return { at: joint.coordinate, lower: joint.lower, upper: joint.upper, limited: joint.limited, unit: joint.unit };
  const reach = edited === 'qd' ? (joint.speed ?? Math.PI) : 10;
  return { at: joint.velocity, lower: -reach, upper: reach, limited: edited === 'qd' && joint.speed !== null, unit: `${joint.unit}/s${edited === 'qd' ? '' : '²'}` };
}

export function jointsPanel(app: App): HTMLElement {
  const { store, session } = app;
  const list = h('div', { class: 'joints' });
  const title = h('span', { style: 'display:inline-flex;align-items:center' }, 'Joints');
  const units = segmented('Unit of angles', [['rad', 'rad'], ['deg', 'deg']], store.now.unit, (unit) => store.set({ unit }));
  const root = h('section', { 'aria-label': 'Joints' },
    h('div', { class: 'sec' }, title, h('div', { class: 'spacer' }), units,
      h('button', { class: 'btn icon', type: 'button', 'aria-label': 'Home', title: 'Home (H)', onclick: () => goHome(app) }, icon('home')),
      h('button', { class: 'btn icon', type: 'button', 'aria-label': 'Random', title: 'Random position (R)', onclick: () => goRandom(app) }, icon('dice'))),
    list);
  let rows: Row[] = [];
  const show = (): void => {
    for (const row of rows) row.show();
  };
  const showEdited = (): void => {
    const names = { q: 'Joints', qd: 'Velocities', qdd: 'Accelerations' };
    units.classList.toggle('hidden', store.now.edited !== 'q');
    fill(title, names[store.now.edited], store.now.edited === 'q' ? null : h('button', { class: 'btn icon', type: 'button', 'aria-label': 'Back to positions', title: 'Back to positions', onclick: () => store.set({ edited: 'q' }) }, icon('close', 14)));
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
  store.on(['q', 'qd', 'qdd'], show);
  store.on(['edited'], () => {
    showEdited();
    build();
  });
  store.on(['selected'], select);
  store.on(['unit'], () => {
    press(units, store.now.unit);
    show();
  });
  return root;
}

export function goHome(app: App): void {
  const m = app.session.model;
  if (!m) return;
  const zeros = m.scene.velocities.map(() => 0);
  if (app.store.now.edited === 'q') app.store.set({ q: [...m.home], time: null });
  else app.store.set({ [app.store.now.edited]: zeros, time: null });
}

export function goRandom(app: App): void {
  const m = app.session.model;
  if (!m) return;
  const { edited } = app.store.now;
  if (edited === 'q') return app.store.set({ q: randomPosition(m, app.store.now.q), time: null });
  const values = [...app.store.now[edited]];
  for (const joint of m.moving) {
    const { at, lower, upper } = held(app, joint);
    values[at] = lower + (upper - lower) * Math.random();
  }
  app.store.set({ [edited]: values, time: null });
}

/** Sets one joint; the same `step` for all changes of one drag. */
export function moveJoint(app: App, joint: Moving, value: number, step: string | null): void {
  const { edited } = app.store.now;
  const values = [...app.store.now[edited]];
  values[held(app, joint).at] = value;
  app.store.set({ [edited]: values, time: null }, step);
}

function row(app: App, joint: Moving): Row {
  const { store } = app;
  const { lower, upper, limited, unit: unitName, at } = held(app, joint);
  const present = (): number => store.now[store.now.edited][at] ?? 0;
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
  const unit = h('span', { class: 'unit' }, unitName);
  const value = h('input', {
    class: 'value', 'aria-label': `${joint.name} value`, autocomplete: 'off', spellcheck: 'false',
    onfocus: () => {
      value.value = text(present(), null);
      value.select();
    },
    onblur: () => {
      root.classList.remove('wrong');
      show();
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
  const root = h('div', {
    class: 'joint', style: jointStyle(joint.index),
    onpointerenter: () => store.set({ hovered: joint.index }), onpointerleave: () => store.set({ hovered: null }),
  },
    h('div', { class: 'head' }, symbol({ q: 'q', qd: 'q̇', qdd: 'q̈' }[store.now.edited], joint.coordinate + 1),
      h('button', { class: 'name', type: 'button', title: joint.name, onclick: () => store.set({ selected: app.session.model?.scene.links[joint.link]?.name ?? null }) }, joint.name),
      value, unit),
    h('div', { class: limited ? 'slider limited' : 'slider' }, h('div', { class: 'track' }), filled, zero, rail, range));

  function take(): void {
    const typed = parseValue(value.value, degrees());
    root.classList.toggle('wrong', typed === null);
    if (typed === null) return;
    moveJoint(app, joint, typed, null);
    show();
  }
  function arrow(event: KeyboardEvent): void {
    const sign = event.key === 'ArrowRight' || event.key === 'ArrowUp' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowDown' ? -1 : 0;
    if (sign === 0) return;
    event.preventDefault();
    event.stopPropagation();
    nudge(app, joint, sign, event);
  }
  function show(): void {
    const v = present();
    const [x, z] = [share(v), share(0)];
    filled.style.transform = `translateX(${100 * Math.min(x, z)}%) scaleX(${Math.abs(x - z)})`;
    rail.style.transform = `translateX(${100 * x}%)`;
    if (document.activeElement !== value) value.value = text(v, 3);
    range.value = String(v);
    range.setAttribute('aria-valuetext', `${text(v, 2)} ${degrees() ? 'degrees' : unitName}, range ${text(lower, 2)} to ${text(upper, 2)}`);
    unit.textContent = degrees() ? unitName.replace('rad', 'deg') : unitName;
    const slack = 1e-9 * (upper - lower);
    root.classList.toggle('out', limited && (v < lower - slack || v > upper + slack));
  }
  return { joint, root, show };
}

/** Moves a joint by 1 % of its range; Shift 10 %, Alt 0.1 %. */
export function nudge(app: App, joint: Moving, sign: number, keys: { shiftKey: boolean; altKey: boolean }): void {
  const share = keys.shiftKey ? 0.1 : keys.altKey ? 0.001 : 0.01;
  const { at, lower, upper } = held(app, joint);
  const now = app.store.now[app.store.now.edited][at] ?? 0;
  const next = Math.min(upper, Math.max(lower, now + sign * share * (upper - lower)));
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
    h('summary', {}, limbName(limb.map((one) => one.joint.name)), h('span', { class: 'muted', style: 'font-weight:420' }, ` ${limb.length}`)),
    ...limb.map((one) => one.root)));
  return [filter, ...made];
}

/** What the names of a limb's joints have in common (`arm_left_1_joint`, `arm_left_2_joint` are `arm_left`), else the first and the last. */
export function limbName(names: readonly string[]): string {
  const [first = '', ...others] = names;
  if (others.length === 0) return first;
  const parts = first.split(/[_\W]+/);
  let n = parts.length;
  for (const name of others) {
    const words = name.split(/[_\W]+/);
    while (n > 0 && parts.slice(0, n).join() !== words.slice(0, n).join()) n -= 1;
  }
  const common = parts.slice(0, n).join('_');
  return common.length > 1 ? common : `${first} … ${others[others.length - 1] ?? ''}`;
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
