// The card of the selected link: its joint, mass, centre, inertia, and what `check` found.

import { fixed, significant } from '../numbers/format.ts';
import type { Finding } from '../engine/types.ts';
import type { App } from '../view/app.ts';
import { jointStyle } from '../view/colours.ts';
import { fill, h } from '../view/dom.ts';
import { icon } from '../view/icons.ts';
import { newCard } from '../state/address.ts';

export function selectionCard(app: App, host: HTMLElement): void {
  const { store, session } = app;
  const m = session.model;
  const at = m?.scene.links.findIndex((link) => link.name === store.now.selected) ?? -1;
  const link = m?.scene.links[at];
  if (!m || !link) return fill(host);
  const { joint } = link;
  const moving = m.moving.find((one) => one.link === at);
  const range = moving?.limited ? `${fixed(moving.lower, 3)} … ${fixed(moving.upper, 3)} ${moving.unit}` : moving ? 'unlimited' : '';
  const pairs: [string, string][] = [
    ['Joint', `${joint.name}, ${joint.kind}${range ? `, ${range}` : ''}`],
    ['Hangs on', link.parent],
  ];
  if (joint.mimic) pairs.push(['Follows', `${joint.mimic.joint} × ${significant(joint.mimic.multiplier)} + ${significant(joint.mimic.offset)}`]);
  if (joint.effort) pairs.push(['Drive', `${significant(joint.effort)} ${moving?.prismatic ? 'N' : 'N m'}${joint.velocity ? `, ${significant(joint.velocity)} ${moving?.prismatic ? 'm/s' : 'rad/s'}` : ''}`]);
  if (link.mass > 0) {
    const i = link.inertia;
    pairs.push(
      ['Mass', `${significant(link.mass, 5)} kg`],
      ['Centre of mass', `${link.com.map((x) => fixed(x, 4)).join(', ')} m`],
      ['Inertia xx yy zz', `${[0, 1, 2].map((k) => significant(i[k]?.[k] ?? 0, 4)).join(', ')} kg m²`],
      ['Inertia xy xz yz', `${[i[0]?.[1], i[0]?.[2], i[1]?.[2]].map((x) => significant(x ?? 0, 3)).join(', ')} kg m²`],
    );
  }
  const list = h('dl', { class: 'pairs' });
  for (const [name, value] of pairs) list.append(h('dt', {}, name), h('dd', {}, value));
  const show = (quantity: string): void => store.set({ cards: [newCard(quantity), ...store.now.cards] });
  fill(host, h('section', { class: 'card', 'aria-label': `Link ${link.name}`, 'data-testid': 'selection', style: `${jointStyle(m.owner[at] ?? -1)};box-shadow:inset 3px 0 var(--c)` },
    h('div', { class: 'card-head' }, h('span', { class: 'title' }, link.name), h('span', { class: 'spacer' }),
      h('button', { class: 'btn line small', type: 'button', onclick: () => show(`pose:${link.name}`) }, 'Pose'),
      h('button', { class: 'btn line small', type: 'button', onclick: () => show(`jacobian:${link.name}`) }, 'Jacobian'),
      h('button', { class: 'btn icon', type: 'button', 'aria-label': 'Deselect', onclick: () => store.set({ selected: null }) }, icon('close', 16))),
    list, ...m.scene.findings.filter((finding) => finding.link === link.name || finding.joint === joint.name).map((one) => findingCard(one, app))));
}

export function findingCard(finding: Finding, app: App): HTMLElement {
  const where = finding.line === null ? '' : ` (line ${finding.line}${finding.column === null ? '' : `:${finding.column}`})`;
  return h('div', { class: finding.severity === 'error' ? 'finding err' : 'finding', 'data-testid': 'finding' }, icon(finding.severity, 16), h('b', {}, `${finding.message}${where}`), finding.hint ? h('p', {}, finding.hint) : null,
    finding.line !== null && app.source() !== null ? h('p', {}, h('button', { class: 'link', type: 'button', onclick: () => app.showInFile(finding.line ?? 1, finding.column) }, 'Show in file')) : null);
}
