// The tab Motion: a scenario, whether its simulation can be trusted, the moment shown, and ways to take it along.

import * as THREE from 'three';
import { Problem } from '../engine/types.ts';
import { count, fixed, significant } from '../numbers/format.ts';
import { parseValue } from '../numbers/parse.ts';
import { Ghosts } from '../scene/ghosts.ts';
import { Path } from '../scene/path.ts';
import type { Stage } from '../scene/stage.ts';
import type { Drives } from '../state/store.ts';
import type { App } from '../view/app.ts';
import { jointStyle } from '../view/colours.ts';
import { wasAborted, whileBusy } from '../view/busy.ts';
import { copyText, saveFile } from '../view/copy.ts';
import { fill, h, press, segmented } from '../view/dom.ts';
import { editArguments } from '../view/edits.ts';
import { figureButton } from '../view/figure.ts';
import { icon } from '../view/icons.ts';
import { symbol } from '../view/symbols.ts';
import { elasticModes, springsCard } from './elastic.ts';
import { mcap } from './mcap.ts';
import type { Player } from './player.ts';
import { limitEvents, Motion } from './samples.ts';

interface Report {
  method: string;
  energy_drift: number;
  momentum_drift?: number | null;
  law: string;
  tracking?: { late_error: number } | null;
  late_error?: number;
  overdriven?: { joint: string; effort: number; asked: number; t: number }[];
  warnings?: string[];
}

const samples = 1000;

export interface MotionPanel {
  root: HTMLElement;
  /** Computes the motion from where the robot stands and shows it at a time. */
  replay(time: number): Promise<void>;
}

export function motionPanel(app: App, stage: Stage, player: Player): MotionPanel {
  const { store, session } = app;
  const path = new Path();
  const ghosts = new Ghosts();
  stage.world.add(path.root, ghosts.root);
  const run = h('button', { class: 'btn ink', type: 'button', onclick: () => void simulate() }, 'Run');
  const drives = segmented<Drives>('Drives', [['none', 'Off'], ['pd-gravity', 'PD + g'], ['computed-torque', 'Computed torque'], ['elastic', 'Springs']], store.now.scenario.drives, (to) => store.set({ scenario: { ...store.now.scenario, drives: to } }));
  const field = (label: string, key: 'duration' | 'step', unit: string): HTMLInputElement => h('input', {
    class: 'short', 'aria-label': label, value: String(store.now.scenario[key]), title: unit, onchange: (event: Event) => {
      const value = parseValue((event.target as HTMLInputElement).value.replace(/\s*m?s$/, ''));
      if (value !== null && value > 0) store.set({ scenario: { ...store.now.scenario, [key]: value } });
    },
  });
  const [duration, step] = [field('Duration, s', 'duration', 's'), field('Step, s', 'step', 's')];
  const goal = h('dd', {});
  const from = h('dd', {});
  const springs = h('section', { class: 'card hidden', 'data-testid': 'springs' });
  const checks = h('section', { class: 'card hidden' });
  const moment = h('section', { class: 'card hidden' });
  const along = h('section', { class: 'card hidden', style: 'border:0' });
  const root = h('div', {},
    h('section', { class: 'card' }, h('div', { class: 'card-head' }, h('span', { class: 'title' }, 'Scenario'), h('span', { class: 'spacer' }), run),
      h('dl', { class: 'pairs' }, h('dt', {}, 'Start'), from, h('dt', {}, 'Drives'), h('dd', {}, drives), h('dt', {}, 'Goal'), goal,
        h('dt', {}, 'Duration (s)'), h('dd', {}, duration), h('dt', {}, 'Step (s)'), h('dd', {}, step))),
    springs, checks, moment, along);
  let start: readonly number[] = [];
  let report: Report | null = null;

  const request = (): Record<string, unknown> => {
    const { scenario } = store.now;
    const steps = scenario.duration / scenario.step;
    if (scenario.drives === 'elastic') return { ...session.request, trajectory: 'waves', controller: 'linearising', duration: scenario.duration, step: scenario.step, every: Math.max(1, Math.round(steps / samples)) };
    const law = scenario.drives === 'none' ? {} : { law: scenario.drives, goal: JSON.stringify(session.model?.home ?? []), ...(scenario.drives === 'computed-torque' ? { kp: [100], kd: [20] } : {}) };
    return { ...session.request, state: JSON.stringify({ q: start }), duration: scenario.duration, step: scenario.step, every: Math.max(1, Math.round(steps / samples)), method: scenario.drives === 'none' ? 'auto' : null, ...law };
  };
  const operation = (): string => (store.now.scenario.drives === 'elastic' ? 'elastic simulate' : 'simulate');
  const command = (): string => {
    const { scenario } = store.now;
    if (scenario.drives === 'elastic') return `jourdain elastic simulate ${session.request?.robot}${session.request ? editArguments(session.request) : ''} --trajectory waves --duration ${scenario.duration} --step ${scenario.step} --out motion.csv`;
    const law = scenario.drives === 'none' ? '' : ` --law ${scenario.drives} --goal '${JSON.stringify(session.model?.home)}'${scenario.drives === 'computed-torque' ? ' --kp 100 --kd 20' : ' '}`;
    return `jourdain simulate ${session.request?.robot}${session.request ? editArguments(session.request) : ''} --state '${JSON.stringify({ q: start })}' --duration ${scenario.duration} --step ${scenario.step}${law.trimEnd()} --out motion.csv`;
  };

  async function simulate(): Promise<void> {
    const m = session.model;
    if (!m) return;
    start = player.motion && store.now.time !== null ? start : store.now.q;
    run.disabled = true;
    try {
      const outcome = await whileBusy(session.jobs, 'simulate', 'Simulating', root, session.jobs.outcome<Report>(operation(), request(), [], 'simulate'));
      if (m !== session.model || !outcome.samples) return;
      report = outcome.report;
      const motion = new Motion(outcome.samples, m);
      player.load(motion);
      store.amend({ start });
      player.seek(0);
      drawPath(motion);
      showChecks(motion);
      run.textContent = 'Run again';
      app.say(`Simulated ${fixed(motion.duration, 2)} seconds`);
    } catch (thrown) {
      if (wasAborted(thrown)) return;
      if (!(thrown instanceof Problem)) throw thrown;
      checks.classList.remove('hidden');
      fill(checks, h('div', { class: 'finding err' }, icon('error', 16), h('b', {}, thrown.message), thrown.hint ? h('p', {}, thrown.hint) : null));
    } finally {
      run.disabled = false;
    }
  }

  function drawPath(motion: Motion): void {
    const m = session.model;
    const plan = session.sidePlan([]);
    if (!m || !plan) return;
    const pose = (t: number): Float64Array => {
      plan.input('q')?.set(motion.position(t));
      plan.run();
      return plan.output('poses');
    };
    const points = Array.from({ length: 201 }, (_, k) => {
      const p = pose((motion.duration * k) / 200);
      return new THREE.Vector3(p[16 * m.tool + 3], p[16 * m.tool + 7], p[16 * m.tool + 11]);
    });
    const far = points.some((p) => p.length() > 6 * stage.size);
    if (far) path.clear();
    else path.show(points, stage.size);
    ghosts.show(m, stage.size, far ? [] : [Float64Array.from(pose(0))], 0.08);
    plan.drop();
    stage.redraw();
  }

  function showChecks(motion: Motion): void {
    const m = session.model;
    if (!m || !report) return;
    const mark = (kind: 'check' | 'warning' | 'error', ...content: (Node | string)[]): HTMLElement => h('span', { class: kind === 'check' ? 'check' : kind === 'warning' ? 'check warn' : 'check err' }, icon(kind, 14), ...content);
    const energy = motion.column('energy');
    const kinetic = motion.column('kinetic');
    const scale = Math.max(...(kinetic ?? [1]), 1e-9);
    const small = report.energy_drift < 1e-3 * scale;
    const passed = limitEvents(m, motion);
    const late = report.tracking?.late_error ?? report.late_error ?? null;
    checks.classList.remove('hidden');
    fill(checks, h('div', { class: 'card-head' }, h('span', { class: 'title' }, 'Is the simulation right?')), h('div', { style: 'display:grid;gap:7px' },
      mark(small ? 'check' : 'error', `energy drifts by ${significant(report.energy_drift, 2)} J of ${significant(energy?.[0] ?? 0, 4)} J${small ? '' : ': take a shorter step'}`),
      (report.momentum_drift ?? null) === null ? '' : mark('check', `momentum drifts by ${significant(report.momentum_drift ?? 0, 2)}`),
      late === null ? '' : mark(late < 0.05 ? 'check' : 'warning', `error in the last quarter at most ${significant(late, 2)} rad`),
      ...(report.overdriven ?? []).map((one) => mark('warning', `${one.joint} is asked for ${significant(one.asked)} of ${significant(one.effort)} N m`)),
      passed.length > 0 ? mark('warning', `limits are not enforced: ${count(passed.length, 'joint')} ${passed.length === 1 ? 'leaves its' : 'leave their'}`) : mark('check', 'all joints stay within their limits'),
      h('span', { class: 'muted xs' }, `method ${report.method}`)));
    along.classList.remove('hidden');
    const name = m.scene.name;
    const copy = h('button', { class: 'btn line', type: 'button', onclick: () => void copyText(command(), copy) }, 'Command line');
    fill(along, h('div', { class: 'card-head', style: 'margin-bottom:6px' }, h('span', { class: 'title' }, 'Take it with you')), h('div', { class: 'row' },
      h('button', { class: 'btn line', type: 'button', onclick: () => saveFile(`${name}.csv`, motion.csv(), 'text/csv') }, 'CSV'),
      h('button', { class: 'btn line', type: 'button', onclick: () => saveFile(`${name}.json`, JSON.stringify(Object.fromEntries(motion.columns.map((column) => [column, Array.from(motion.column(column) ?? [])]))), 'application/json') }, 'JSON'),
      h('button', { class: 'btn line', type: 'button', onclick: () => saveMcap(motion) }, 'MCAP'), figureButton(session, () => `${name}_motion`, operation(), request), copy));
  }

  function saveMcap(motion: Motion): void {
    const m = session.model;
    const plan = session.sidePlan([]);
    if (!m || !plan) return;
    saveFile(`${m.scene.name}.mcap`, mcap(m, motion, (q) => {
      plan.input('q')?.set(q);
      plan.run();
      return plan.output('poses');
    }), 'application/octet-stream');
    plan.drop();
  }

  /** Velocities at the moment shown. */
  let bars: { bar: HTMLElement; value: HTMLElement }[] = [];
  let built: unknown = null;
  const head = h('span', { class: 'title' });
  const showMoment = (): void => {
    const m = session.model;
    const { motion } = player;
    moment.classList.toggle('hidden', !motion || !m);
    path.root.visible = ghosts.root.visible = store.now.task === 'motion' && motion !== null;
    if (!motion || !m) return;
    path.at(motion.duration > 0 ? player.time / motion.duration : 0);
    if (built !== motion) {
      built = motion;
      bars = [];
      const grid = h('div', { class: 'bars' });
      for (const joint of m.moving.slice(0, 16)) {
        const [bar, value] = [h('i', {}), h('span', { class: 'v' })];
        grid.append(h('span', { style: jointStyle(joint.index) }, symbol('q', joint.coordinate + 1)), h('div', { class: 'b', style: jointStyle(joint.index) }, bar), value);
        bars.push({ bar, value });
      }
      fill(moment, h('div', { class: 'card-head' }, head, h('span', { class: 'spacer' }), h('span', { class: 'muted xs' }, 'q̇, rad/s or m/s')), grid);
    }
    head.textContent = `At ${fixed(player.time, 3)} s`;
    const qd = motion.velocity(player.time);
    const largest = Math.max(...qd.map(Math.abs), 1e-9);
    m.moving.slice(0, 16).forEach((joint, k) => {
      const v = qd[joint.velocity] ?? 0;
      const row = bars[k];
      if (!row) return;
      row.bar.style.transform = `scaleX(${v / largest})`;
      row.value.textContent = fixed(v, 2);
    });
  };
  player.changed.push(showMoment);
  const showScenario = (): void => {
    const { scenario } = store.now;
    press(drives, scenario.drives);
    duration.value = String(scenario.duration);
    step.value = String(scenario.step);
    goal.textContent = scenario.drives === 'none' ? 'none: it falls' : scenario.drives === 'elastic' ? 'waves, 0.4 sin(2 t + i), by exact linearisation' : 'home';
    from.textContent = scenario.drives === 'elastic' ? 'on the waves' : 'where the robot stands, at rest';
  };
  store.on(['scenario'], showScenario);
  store.on(['task', 'theme'], () => {
    for (const act of player.changed) act();
    if (player.motion && store.now.task === 'motion') drawPath(player.motion);
    stage.redraw();
  });
  /** Whether joints are elastic, and how fast they swing where the robot stands. */
  const showSprings = (): void => {
    const { request: robot, model: m } = session;
    if (!robot || !m || store.now.task !== 'motion') return;
    const found = elasticModes(session, robot, store.now.q);
    springs.classList.toggle('hidden', found === null);
    drives.querySelector('[data-choice=elastic]')?.classList.toggle('hidden', found === null);
    if (found === null && store.now.scenario.drives === 'elastic') store.amend({ scenario: { ...store.now.scenario, drives: 'none' } });
    if (found) fill(springs, ...springsCard(m, found));
  };
  let later = 0;
  session.onNumbers(() => {
    clearTimeout(later);
    if (!player.playing) later = window.setTimeout(showSprings, 200);
  });
  store.on(['task'], showSprings);
  session.onRobot(() => {
    path.clear();
    ghosts.clear();
    report = null;
    run.textContent = 'Run';
    for (const card of [checks, along]) card.classList.add('hidden');
  });
  showScenario();
  return {
    root,
    async replay(time) {
      await simulate();
      player.seek(time);
    },
  };
}
