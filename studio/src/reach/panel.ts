// The tab Reach: a target for a link, the best posture for it with its certificate, the self-motion, and all other postures.

import { Problem } from '../engine/types.ts';
import { count, fixed, significant } from '../numbers/format.ts';
import { parseValue } from '../numbers/parse.ts';
import { Ellipsoid } from '../scene/ellipsoid.ts';
import { Ghosts, mostGhosts } from '../scene/ghosts.ts';
import { Gizmo } from '../scene/gizmo.ts';
import type { Stage } from '../scene/stage.ts';
import type { Model } from '../state/model.ts';
import type { Target } from '../state/store.ts';
import type { App } from '../view/app.ts';
import { jointStyle } from '../view/colours.ts';
import { fill, h, press, segmented } from '../view/dom.ts';
import { icon } from '../view/icons.ts';
import { numberElement } from '../view/symbols.ts';
import { curveView } from './curve.ts';
import { fromRollPitchYaw, toRollPitchYaw } from './rotation.ts';
import { selfMotion } from './selfmotion.ts';
import { postures, SliceView } from './slice.ts';

interface Point {
  status: string;
  q: number[];
  pose_error: number;
  stationarity: number;
  criterion: number | null;
  kind: string;
  redundancy: number;
  smallest_eigenvalue: number;
  active_limits: string[];
}

const criteria = ['manipulability', 'mid-range', 'limit-barrier', 'none'];

export function reachPanel(app: App, stage: Stage): HTMLElement {
  const { store, session } = app;
  const gizmo = new Gizmo(stage, (target) => {
    store.set({ target }, 'target');
    solve();
  }, () => {
    store.endStep();
    settle();
    showSlice();
  });
  const ghosts = new Ghosts();
  const ellipsoid = new Ellipsoid();
  const slice = new SliceView(() => stage.redraw());
  const sliceNote = h('p', { class: 'muted xs hidden', style: 'margin:8px 0 0', 'data-testid': 'slice' });
  stage.world.add(ghosts.root, ellipsoid.root, slice.root);
  const fields = (['x (m)', 'y (m)', 'z (m)', 'roll', 'pitch', 'yaw'] as const).map((name, i) => h('input', { 'aria-label': `target ${name}`, inputmode: 'text', onchange: () => typed(i) }));
  const link = h('select', { class: 'menu', 'aria-label': 'Link to place', onchange: () => take(link.value, store.now.target?.task ?? 'pose') });
  const task = segmented<Target['task']>('Task', [['position', 'Position'], ['pose', 'Pose'], ['position-pointing', 'Pointing']], 'pose', (to) => {
    const { target } = store.now;
    if (target) store.set({ target: { ...target, task: to } });
    settle();
  });
  const criterion = h('select', { class: 'menu', 'aria-label': 'Criterion', onchange: () => {
    store.set({ criterion: criterion.value });
    settle();
  } }, ...criteria.map((name) => h('option', { value: name }, name)));
  const verdict = h('div', { class: 'verdict', 'data-testid': 'verdict' });
  const curve = curveView((q) => store.set({ q }, 'self-motion'), () => store.endStep());
  const list = h('div', {});
  const number = h('span', { class: 'chip' });
  let ghostly = true;
  const ghostSwitch = segmented('Ghosts', [['on', 'Ghosts'], ['off', 'Off']], 'on', (to) => {
    ghostly = to === 'on';
    press(ghostSwitch, to);
    haunt();
  });
  const root = h('div', {},
    h('section', { class: 'card' }, h('div', { class: 'card-head' }, h('span', { class: 'title', style: 'min-width:0' }, 'Target for'), link, h('span', { class: 'spacer' }), task),
      h('div', { class: 'fields' }, ...fields.map((field, i) => h('label', {}, ['x (m)', 'y (m)', 'z (m)', 'roll', 'pitch', 'yaw'][i], field)))),
    h('section', { class: 'card' }, verdict, sliceNote),
    h('section', { class: 'card' }, h('div', { class: 'card-head', style: 'margin-bottom:4px' }, h('span', { class: 'title' }, 'Self-motion'), h('span', { class: 'note' }, 'the tool stays'), h('span', { class: 'spacer' }), criterion), curve.root),
    h('section', { class: 'card', style: 'border:0' }, h('div', { class: 'card-head', style: 'margin-bottom:4px' }, h('span', { class: 'title' }, 'All stationary points'), number, h('span', { class: 'spacer' }), ghostSwitch), list));

  let solutions: Point[] = [];
  const active = (): boolean => store.now.task === 'reach' && session.model !== null;

  /** The present pose of a link as the target. */
  function take(name: string, kind: Target['task']): void {
    const m = session.model;
    const { poses } = session;
    const at = m?.scene.links.findIndex((one) => one.name === name) ?? -1;
    if (!m || !poses || at < 0) return;
    const e = (k: number): number => poses[16 * at + k] ?? 0;
    store.amend({ target: { link: name, task: kind, position: [e(3), e(7), e(11)], rotation: [[e(0), e(1), e(2)], [e(4), e(5), e(6)], [e(8), e(9), e(10)]] } });
    settle();
  }

  function typed(i: number): void {
    const { target } = store.now;
    const value = parseValue(fields[i]?.value ?? '');
    if (!target || value === null) return showTarget();
    const position = [...target.position] as [number, number, number];
    const angles = toRollPitchYaw(target.rotation);
    if (i < 3) position[i] = value;
    else angles[i - 3] = value;
    store.set({ target: { ...target, position, rotation: i < 3 ? target.rotation : fromRollPitchYaw(...angles) } });
    settle();
  }

  function showTarget(): void {
    const { target } = store.now;
    if (!target) return;
    const values = [...target.position, ...toRollPitchYaw(target.rotation)];
    fields.forEach((field, i) => {
      if (document.activeElement !== field) field.value = fixed(values[i] ?? 0, i < 3 ? 3 : 2);
      field.disabled = i >= 3 && target.task === 'position';
    });
    press(task, target.task);
    link.value = target.link;
  }

  function request(target: Target, all: boolean): object {
    const goal = target.task === 'position' ? { position: target.position } : target.task === 'pose' ? { position: target.position, rotation: target.rotation }
      : { position: target.position, direction: [target.rotation[0]?.[2] ?? 0, target.rotation[1]?.[2] ?? 0, target.rotation[2]?.[2] ?? 1] };
    return {
      ...session.request, link: target.link, task: target.task, target: JSON.stringify(goal), criterion: store.now.criterion,
      ...(all ? { all: true, starts: 200 } : { start: JSON.stringify(store.now.q), starts: 4 }),
    };
  }

  /** The posture for the target, from where the arm is: asked again and again while the target is dragged. */
  function solve(): void {
    const { target } = store.now;
    if (!target || !active()) return;
    session.jobs.run<Point>('ik', request(target, false), 'reach').then((point) => {
      if (store.now.target !== target && store.now.target?.link !== target.link) return;
      const reached = point.pose_error < 1e-6;
      if (reached || point.status === 'unreachable' || point.status === 'not-found') store.set({ q: point.q, time: null }, 'target');
      gizmo.show(store.now.target, reached);
      showVerdict(point, reached);
      app.say(verdict.textContent ?? '');
    }, refuse);
  }

  /** After a drag: all postures, and the self-motion through the present one. */
  function settle(): void {
    const { target } = store.now;
    if (!target || !active()) return;
    session.jobs.run<Point>('ik', request(target, false), 'reach').then((point) => {
      const reached = point.pose_error < 1e-6;
      store.amend({ q: point.q, time: null });
      gizmo.show(store.now.target, reached);
      showVerdict(point, reached);
      drawCurve(reached, point.redundancy);
    }, refuse);
    session.jobs.run<{ solutions: Point[] }>('ik', request(target, true), 'reach all').then((report) => {
      solutions = report.solutions;
      showSolutions();
      haunt();
    }, refuse);
  }

  function refuse(reason: unknown): void {
    if (!(reason instanceof Problem)) return;
    verdict.className = 'verdict warn';
    fill(verdict, icon('warning', 22), h('b', {}, 'No answer'), h('p', {}, reason.message, reason.hint ? `: ${reason.hint}` : ''));
  }

  function drawCurve(reached: boolean, redundancy: number): void {
    const m = session.model;
    const { target, q } = store.now;
    if (!m || !target) return;
    if (!reached || redundancy !== 1) return curve.show(m, null, redundancy === 0 ? 'No degree is left over: the posture is one of the points below.' : redundancy > 1 ? `${redundancy} degrees are left over: the postures fill a space, not a curve.` : 'The target is not reached.');
    const plan = session.sidePlan([`jacobian:${target.link}`, `manipulability:${target.link}`]);
    if (!plan) return;
    const found = selfMotion(m, plan, target, q);
    plan.drop();
    curve.show(m, found, 'The arm cannot move here without moving the tool.');
  }

  function showVerdict(point: Point, reached: boolean): void {
    const limits = point.active_limits;
    if (!reached) {
      verdict.className = 'verdict err';
      fill(verdict, icon('error', 22), h('b', {}, point.status === 'unreachable' ? `Cannot be reached: ${fixed(point.pose_error, 3)} m short` : 'Not found from here'),
        h('p', {}, point.status === 'unreachable' ? 'Proved: no posture within the limits comes closer. The arm stays at the nearest.' : 'A posture may exist: start from another position, or widen the limits.'));
      return;
    }
    const best = point.kind === 'minimum' && limits.length === 0;
    const rank = point.kind === 'degenerate' || store.now.criterion === 'none';
    verdict.className = limits.length > 0 ? 'verdict warn' : 'verdict ok';
    fill(verdict, icon(limits.length > 0 ? 'warning' : 'good', 22),
      h('b', {}, limits.length > 0 ? `Reached, with ${limits.join(', ')} at the limit` : best ? 'Reached, and locally the best' : rank ? 'Reached' : `Reached, a ${point.kind} of the criterion`),
      h('p', {}, 'pose error ', numberElement(point.pose_error, 1), ' · stationarity ', numberElement(point.stationarity, 1), ` · ${point.kind}, smallest eigenvalue ${significant(point.smallest_eigenvalue)} · ${count(point.redundancy, 'redundant degree')}`));
  }

  function showSolutions(): void {
    const m = session.model;
    if (!m) return;
    number.textContent = String(solutions.length);
    const shown = nearest(solutions, store.now.q);
    const best = Math.min(...solutions.map((one) => one.criterion ?? Infinity));
    fill(list, ...solutions.slice(0, 16).map((one, k) => h('button', { class: k === shown ? 'solution sel' : 'solution', type: 'button', onclick: () => fly(one.q) },
      h('span', { class: 'muted' }, k + 1), h('span', {}, one.kind), h('span', { style: 'text-align:right' }, one.criterion === null ? '' : fixed(one.criterion, 4)), mini(m, one.q),
      one.active_limits.length > 0 ? h('span', { class: 'chip warn' }, `${one.active_limits[0]} at limit`) : one.criterion === best ? h('span', { class: 'chip ok' }, 'best') : k === shown ? h('span', { class: 'xs muted' }, 'shown') : h('span', {}))),
      solutions.length > 16 ? h('p', { class: 'muted xs' }, `and ${solutions.length - 16} more`) : null);
  }

  /** Goes to another posture in 240 ms; one step of undo. */
  function fly(q: readonly number[]): void {
    const from = store.now.q;
    const begin = performance.now();
    const whole = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 240;
    const step = (): void => {
      const t = whole === 0 ? 1 : Math.min(1, (performance.now() - begin) / whole);
      const e = 1 - (1 - t) ** 3;
      store.set({ q: from.map((x, i) => x + ((q[i] ?? x) - x) * e), time: null }, 'posture');
      if (t < 1) requestAnimationFrame(step);
      else {
        store.endStep();
        settle();
      }
    };
    step();
  }

  function haunt(): void {
    const m = session.model;
    if (!m || !active() || !ghostly) {
      ghosts.clear();
      return stage.redraw();
    }
    const plan = session.sidePlan([]);
    if (!plan) return;
    const shown = nearest(solutions, store.now.q);
    const poses = solutions.filter((one, k) => k !== shown && one.kind !== 'maximum').slice(0, mostGhosts).map((one) => {
      plan.input('q')?.set(one.q);
      plan.run();
      return Float64Array.from(plan.output('poses'));
    });
    plan.drop();
    ghosts.show(m, stage.size, poses);
    stage.redraw();
  }

  function showEllipsoid(): void {
    const m = session.model;
    const { target, shown } = store.now;
    const on = active() && shown.ellipsoid && target !== null;
    const name = `jacobian:${target?.link ?? ''}`;
    if (on) session.need(name, true);
    const j = on ? session.numbers(name) : null;
    ellipsoid.root.visible = j !== null;
    const at = m?.scene.links.findIndex((one) => one.name === target?.link) ?? -1;
    const { poses } = session;
    if (j && poses && m) ellipsoid.set([poses[16 * at + 3] ?? 0, poses[16 * at + 7] ?? 0, poses[16 * at + 11] ?? 0], j.values, m.scene.velocities.length, 0.2);
  }

  /** The plane through base and target, filled with what random postures come to. */
  function showSlice(): void {
    const m = session.model;
    const { target, shown } = store.now;
    const on = active() && shown.slice && target !== null && m !== null;
    sliceNote.classList.toggle('hidden', !on);
    const at = m?.scene.links.findIndex((one) => one.name === target?.link) ?? -1;
    const plan = on ? session.sidePlan([]) : null;
    if (!on || !plan || !m || !target || at < 0) {
      slice.stop();
      return stage.redraw();
    }
    sliceNote.textContent = `Grey: places of this plane that ${target.link} comes to in ${postures} random postures within the limits.`;
    slice.show(m, plan, at, target.position, 1.25 * stage.size, () => sliceNote.setAttribute('data-done', 'true'));
  }

  const enter = (): void => {
    const m = session.model;
    if (!active() || !m) {
      gizmo.show(null, true);
      ghosts.clear();
      ellipsoid.root.visible = false;
      slice.stop();
      return stage.redraw();
    }
    fill(link, ...m.scene.links.map((one) => h('option', { value: one.name }, one.name)));
    criterion.value = store.now.criterion;
    const here = store.now.target;
    if (here && m.scene.links.some((one) => one.name === here.link)) settle();
    else take(m.scene.links[m.tool]?.name ?? '', 'pose');
    showTarget();
    showSlice();
  };
  let waiting = false;
  session.onRobot(() => {
    solutions = [];
    fill(list);
    waiting = true;
  });
  session.onNumbers(() => {
    if (waiting && active()) {
      waiting = false;
      enter();
    }
    showEllipsoid();
  });
  store.on(['task'], enter);
  store.on(['theme'], () => {
    ellipsoid.recolour();
    haunt();
  });
  let sliced = store.now.shown.slice;
  store.on(['shown'], () => {
    showEllipsoid();
    if (sliced === store.now.shown.slice) return;
    sliced = store.now.shown.slice;
    showSlice();
  });
  store.on(['target'], () => {
    showTarget();
    if (!active()) return;
    gizmo.show(store.now.target, true);
  });
  gizmo.show(null, true);
  return root;
}

/** Which solution the arm is at; −1 if none. */
function nearest(solutions: readonly Point[], q: readonly number[]): number {
  return solutions.findIndex((one) => Math.hypot(...one.q.map((x, i) => x - (q[i] ?? 0))) < 1e-4);
}

/** The place of each joint in its range, as seven small marks. */
function mini(m: Model, q: readonly number[]): HTMLElement {
  return h('span', { class: 'mini', 'aria-label': 'joint positions in their ranges' }, ...m.moving.slice(0, 10).map((joint) => {
    const share = ((q[joint.coordinate] ?? 0) - joint.lower) / (joint.upper - joint.lower);
    return h('i', { style: `${jointStyle(joint.index)};--y:${(15 * (1 - Math.min(1, Math.max(0, share)))).toFixed(1)}px` });
  }));
}
