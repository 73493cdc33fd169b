// The dock under the stage: transport, scrubber with the moments when joints pass their limits, and a small plot per joint.

import { count, fixed } from '../numbers/format.ts';
import type { Model } from '../state/model.ts';
import type { App } from '../view/app.ts';
import { jointColour, token } from '../view/colours.ts';
import { fill, h, press, segmented } from '../view/dom.ts';
import { icon } from '../view/icons.ts';
import { plot, type PlotView } from '../view/plot.ts';
import { symbol } from '../view/symbols.ts';
import { jointStyle } from '../view/colours.ts';
import type { Player } from './player.ts';
import { limitEvents, type LimitEvent } from './samples.ts';

const most = 16;

export function motionDock(app: App, player: Player): HTMLElement {
  const { session, store } = app;
  const play = h('button', { class: 'play', type: 'button', 'aria-label': 'Play', title: 'Play (Space)', onclick: () => player.toggle() }, icon('play', 16));
  const clock = document.createTextNode('');
  const whole = h('span', {});
  const past = h('div', { class: 'f' });
  const rail = h('div', { style: 'position:absolute;inset:0;pointer-events:none' }, h('div', { class: 'k' }));
  const range = h('input', { type: 'range', min: 0, max: 1, step: 'any', value: 0, 'aria-label': 'Time', 'data-testid': 'time', oninput: () => {
    const to = Number(range.value);
    player.pause();
    player.seek(to);
  } });
  const events = h('div', {});
  const speed = segmented('Speed', [['0.25', '¼×'], ['1', '1×'], ['max', 'Max']], '1', (to) => {
    player.speed = to === 'max' ? Infinity : Number(to);
    press(speed, to);
  });
  const notice = h('span', { class: 'row wide-only' });
  const multiples = h('div', { class: 'multiples' });
  const root = h('section', { class: 'dock', 'aria-label': 'Timeline' },
    h('div', { class: 'transport' }, play, h('b', { class: 'clock' }, h('b', {}, clock, ' s '), whole), h('div', { class: 'scrub' }, h('div', { class: 't' }), past, rail, range, events), speed, notice), multiples);
  let plots: { view: PlotView; value: HTMLElement; column: Float64Array | null; unit: string }[] = [];

  const build = (): void => {
    for (const { view } of plots) view.destroy();
    plots = [];
    multiples.replaceChildren();
    const { motion } = player;
    const m = session.model;
    if (!motion || !m || multiples.clientWidth < 100) return;
    const found = limitEvents(m, motion);
    fill(events, ...found.map((event) => tick(m, event)));
    fill(notice, found.length > 0 ? h('span', { class: 'chip err' }, icon('warning', 14), `${count(found.length, 'joint')} ${found.length === 1 ? 'passes its limit' : 'pass their limits'}, first ${m.moving[found[0]?.joint ?? 0]?.name} at ${fixed(found[0]?.t ?? 0, 2)} s`) : null);
    const joints = m.moving.slice(0, most);
    const columns = Math.min(4, joints.length + 1);
    const springs = joints.filter((joint) => motion.column(`theta[${joint.name}]`) !== null).length;
    const rows = Math.ceil((joints.length + 1 + Math.ceil(springs / 4)) / columns);
    const width = Math.floor((multiples.clientWidth - 16 - 12 * (columns - 1)) / columns);
    const height = Math.max(62, Math.floor((multiples.clientHeight - 8) / Math.min(rows, 2)) - 20);
    const grid = h('div', { style: `display:grid;grid-template-columns:repeat(${columns}, 1fr);gap:2px 12px;padding:6px 8px` });
    for (const joint of joints) {
      const column = motion.column(`q[${joint.name}]`);
      if (!column) continue;
      const value = h('span', { class: 'muted' });
      const { fill: colour } = jointColour(m, joint.index);
      const out = { colour: token('band'), share: 0.09 };
      const view = plot({
        title: h('span', { style: jointStyle(joint.index) }, symbol('q', joint.coordinate + 1), ' ', value), x: motion.t, width, height, sync: 'motion',
        series: [{ values: column, colour }],
        bands: joint.limited ? [{ from: -Infinity, to: joint.lower, ...out }, { from: joint.upper, to: Infinity, ...out }] : [],
      });
      plots.push({ view, value, column, unit: joint.unit });
      grid.append(view.root);
    }
    for (const some of fours(joints.filter((joint) => motion.column(`theta[${joint.name}]`) !== null))) {
      const series = some.map((joint) => {
        const [q, theta] = [motion.column(`q[${joint.name}]`), motion.column(`theta[${joint.name}]`)];
        return { values: (theta ?? []).map((x, i) => 1000 * (x - (q?.[i] ?? 0))), colour: jointColour(m, joint.index).fill, label: `q${subscript(joint.coordinate + 1)}` };
      });
      const view = plot({ title: h('span', {}, h('b', { style: 'font-weight:600' }, 'Motor ahead of link '), h('span', { class: 'muted' }, '(mrad)')), x: motion.t, width, height, series, sync: 'motion', labels: 24 });
      plots.push({ view, value: h('span', {}), column: null, unit: '' });
      grid.append(view.root);
    }
    const energies = ([['energy', 'total', token('ink')], ['kinetic', 'kinetic', token('heat-pos')], ['potential', 'potential', token('heat-neg')]] as const).flatMap(([name, label, colour]) => {
      const values = motion.column(name);
      return values ? [{ values, label, colour }] : [];
    });
    const view = plot({ title: h('span', {}, h('b', { style: 'font-weight:600' }, 'Energy '), h('span', { class: 'muted' }, '(J)')), x: motion.t, width, height, series: energies, sync: 'motion', labels: 58 });
    plots.push({ view, value: h('span', {}), column: null, unit: '' });
    grid.append(view.root);
    multiples.append(grid);
    if (joints.length < m.moving.length) multiples.append(h('p', { class: 'muted xs', style: 'padding:0 16px' }, `the first ${most} of ${m.moving.length} joints`));
    show();
  };
  const tick = (m: Model, { joint, t }: LimitEvent): HTMLElement => h('button', {
    class: 'e', type: 'button', title: `${m.moving[joint]?.name} passes its limit at ${fixed(t, 3)} s`, 'aria-label': `${m.moving[joint]?.name} passes its limit`,
    style: `${jointStyle(joint)};left:${(100 * t) / (player.motion?.duration || 1)}%`, onclick: () => player.seek(t),
  });
  let icons = false;
  const show = (): void => {
    const { motion, time } = player;
    if (!motion) return;
    const share = motion.duration > 0 ? time / motion.duration : 0;
    clock.textContent = fixed(time, 3);
    whole.textContent = `/ ${Number(motion.duration.toPrecision(4))}`;
    past.style.transform = `scaleX(${share})`;
    rail.style.transform = `translateX(${100 * share}%)`;
    range.max = String(motion.duration);
    range.value = String(time);
    const held = store.now.time !== null;
    const i = motion.index(time);
    for (const { view, value, column, unit } of plots) {
      view.mark(held ? time : null);
      if (column) value.textContent = `${fixed(column[i] ?? 0, 2)} ${unit}`;
    }
    if (icons !== player.playing) {
      icons = player.playing;
      fill(play, icon(player.playing ? 'pause' : 'play', 16));
      play.setAttribute('aria-label', player.playing ? 'Pause' : 'Play');
    }
  };
  let drawn: unknown = null;
  player.changed.push(() => {
    const visible = store.now.task === 'motion' && player.motion !== null;
    document.getElementById('app')?.classList.toggle('no-dock', !visible);
    if (visible && drawn !== player.motion) {
      drawn = player.motion;
      build();
    }
    show();
  });
  store.on(['theme'], build);
  let timer = 0;
  new ResizeObserver(() => {
    clearTimeout(timer);
    timer = window.setTimeout(build, 150);
  }).observe(multiples);
  return root;
}

/** At most four curves in a panel. */
function fours<T>(list: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(list.length / 4) }, (_, k) => list.slice(4 * k, 4 * k + 4));
}

const subscript = (n: number): string => String(n).replace(/\d/g, (d) => '₀₁₂₃₄₅₆₇₈₉'[Number(d)] ?? d);
