// Which column of a log is what, asked only if a name is not understood.

import type { Model } from '../state/model.ts';
import { h } from '../view/dom.ts';
import { jointStyle } from '../view/colours.ts';
import { icon } from '../view/icons.ts';
import { symbol } from '../view/symbols.ts';
import { column, readCsv, type Table } from './prediction.ts';

type Kind = 'q' | 'tau';

/** The names that could not be understood; empty if there is nothing to ask. */
export function unknownColumns(m: Model, table: Table): string[] {
  return m.moving.flatMap((joint, i) => (['q', 'tau'] as const).filter((kind) => column(table, kind, joint.name, i + 1) < 0).map((kind) => `${kind}[${joint.name}]`));
}

const words: Record<Kind, RegExp> = { q: /pos|angle|^q|meas_q|joint_?pos/i, tau: /tau|torque|effort|force|load/i };

/** The column that most likely holds a joint's positions or torques: one of its name, else the one at its place among its kind. */
export function guess(m: Model, table: Table, kind: Kind, index: number): number {
  const joint = m.moving[index];
  const known = joint ? column(table, kind, joint.name, index + 1) : -1;
  if (known >= 0) return known;
  const fitting = table.columns.map((name, i) => ({ name, i })).filter(({ name }) => words[kind].test(name) && !/vel|rate|acc|qd|time/i.test(name));
  const named = fitting.find(({ name }) => joint !== undefined && name.toLowerCase().includes(joint.name.toLowerCase()));
  const numbered = fitting.find(({ name }) => new RegExp(`(?:^|\\D)${index + 1}(?:\\D|$)`).test(name));
  return (named ?? numbered ?? fitting[index])?.i ?? -1;
}

/** The log with its first line rewritten, so that every chosen column has the name that is understood. */
export function renamed(bytes: Uint8Array, table: Table, names: ReadonlyMap<number, string>): Uint8Array {
  const text = new TextDecoder().decode(bytes).trimStart();
  const taken = new Set(names.values());
  const head = table.columns.map((name, i) => names.get(i) ?? (taken.has(name) ? `${name}_as_recorded` : name)).join(',');
  return new TextEncoder().encode(head + text.slice(/\r?\n/.exec(text)?.index ?? text.length));
}

/** A small form: what is time, and each joint's position and torque. */
export function mappingCard(m: Model, path: string, bytes: Uint8Array, done: (bytes: Uint8Array) => void, cancel: () => void): HTMLElement | null {
  const table = readCsv(bytes);
  if (!table) return null;
  const menu = (label: string, at: number): HTMLSelectElement => h('select', { class: 'menu', 'aria-label': label, style: 'width:100%' }, h('option', { value: -1, selected: at < 0 }, '–'), ...table.columns.map((name, i) => h('option', { value: i, selected: i === at }, name)));
  const time = menu('Time', table.columns.findIndex((name) => /^t(?:ime)?(?:$|[^a-z])/i.test(name)));
  const rows = m.moving.map((joint, i) => ({ joint, q: menu(`Position of ${joint.name}`, guess(m, table, 'q', i)), tau: menu(`Torque of ${joint.name}`, guess(m, table, 'tau', i)) }));
  const problem = h('p', { class: 'check err hidden' }, icon('error', 14), h('span', {}, 'Every joint needs a position and a torque, each from a column of its own.'));
  const take = (): void => {
    const names = new Map<number, string>();
    const wanted: [HTMLSelectElement, string][] = [...rows.flatMap(({ joint, q, tau }) => [[q, `q_${joint.name}`], [tau, `tau_${joint.name}`]] as [HTMLSelectElement, string][])];
    if (Number(time.value) >= 0) wanted.push([time, 't']);
    for (const [select, name] of wanted) names.set(Number(select.value), name);
    const wrong = names.has(-1) || names.size !== wanted.length;
    problem.classList.toggle('hidden', !wrong);
    if (!wrong) done(renamed(bytes, table, names));
  };
  return h('section', { class: 'card', 'data-testid': 'mapping' },
    h('div', { class: 'card-head' }, h('span', { class: 'title' }, 'Which column is what?'), h('span', { class: 'note' }, path)),
    h('p', { class: 'muted sm', style: 'margin:0 0 8px' }, `${unknownColumns(m, table).length} names of this log are not understood. Positions in rad or m, torques in N m or N, on the link side.`),
    h('div', { class: 'mapping' }, h('span', { class: 'muted xs' }, ''), h('span', { class: 'muted xs' }, 'position'), h('span', { class: 'muted xs' }, 'torque'),
      ...rows.flatMap(({ joint, q, tau }) => [h('span', { class: 'row', style: `${jointStyle(joint.index)};flex-wrap:nowrap`, title: joint.name }, symbol('q', joint.coordinate + 1), joint.name), q, tau]),
      h('span', {}, 'time'), time, h('span', { class: 'muted xs' }, '– if there is none')),
    problem, h('div', { class: 'foot' }, h('button', { class: 'btn ink', type: 'button', onclick: take }, 'Identify'), h('button', { class: 'btn', type: 'button', onclick: cancel }, 'Cancel')));
}
