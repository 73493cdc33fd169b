// The tree of links, with masses and findings; a click selects.

import { fixed } from '../numbers/format.ts';
import type { Model } from '../state/model.ts';
import { jointStyle } from './colours.ts';
import { fill, h } from './dom.ts';
import { icon } from './icons.ts';
import type { App } from './app.ts';

export function mass(kg: number): string {
  return `${fixed(kg, kg === 0 ? 0 : kg < 1 ? 3 : 2)} kg`;
}

export function linksPanel(app: App): HTMLElement {
  const { store, session } = app;
  const total = h('span', { class: 'muted xs', style: 'font-weight:420' });
  const list = h('div', { role: 'tree', 'aria-label': 'Links' });
  const root = h('section', { class: 'tree', 'aria-label': 'Links' }, h('div', { class: 'sec' }, 'Links', h('div', { class: 'spacer' }), total), list);
  const select = (): void => {
    for (const leaf of list.querySelectorAll<HTMLElement>('[data-link]')) {
      const on = leaf.dataset['link'] === store.now.selected;
      leaf.classList.toggle('sel', on);
      leaf.setAttribute('aria-selected', String(on));
    }
  };
  session.onRobot(() => {
    const m = session.model;
    total.textContent = m ? mass(m.totalMass) : '';
    fill(list, ...(m ? leaves(app, m) : []));
    select();
  });
  store.on(['selected'], select);
  list.addEventListener('keydown', (event) => walk(event, list));
  return root;
}

function leaves(app: App, m: Model): HTMLElement[] {
  const deep = Math.max(...m.depth, 1);
  const indent = Math.min(9, 90 / deep);
  const made: HTMLElement[] = [h('div', { class: 'leaf', style: 'cursor:default', role: 'treeitem' }, h('i', { style: 'border-radius:50%' }), 'base')];
  const visit = (i: number): void => {
    const link = m.scene.links[i];
    if (!link) return;
    const found = m.scene.findings.filter((finding) => finding.link === link.name);
    const worst = found.some((finding) => finding.severity === 'error') ? 'error' : found.length > 0 ? 'warning' : null;
    const badge = worst ? icon(worst, 14) : null;
    if (worst === 'error') badge?.classList.add('bad');
    made.push(h('button', {
      class: 'leaf', type: 'button', role: 'treeitem', 'data-link': link.name, style: `${jointStyle(m.owner[i] ?? -1)};padding-left:${16 + ((m.depth[i] ?? 0) + 1) * indent}px`,
      onclick: () => app.store.set({ selected: app.store.now.selected === link.name ? null : link.name }),
    }, h('i', {}), h('span', { class: 'n', title: link.name }, link.name), badge,
      h('span', { class: 'm' }, link.mass > 0 ? mass(link.mass) : link.joint.kind === 'fixed' ? 'fixed' : '')));
    m.children[i]?.forEach(visit);
  };
  m.parent.forEach((p, i) => {
    if (p < 0) visit(i);
  });
  return made;
}

function walk(event: KeyboardEvent, list: HTMLElement): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const all = [...list.querySelectorAll<HTMLElement>('button.leaf')];
  const next = all[all.indexOf(document.activeElement as HTMLElement) + step];
  if (!next) return;
  event.preventDefault();
  event.stopPropagation();
  next.focus();
}
