// The tab Quantities: the selected link, the cards in their order, energies, and the way to more.

import { fixed, significant } from '../numbers/format.ts';
import type { App } from '../view/app.ts';
import { h } from '../view/dom.ts';
import { item, popup } from '../view/popup.ts';
import { icon } from '../view/icons.ts';
import { cardView, type CardView } from './card.ts';
import { selectionCard } from './selection.ts';

export interface QuantitiesPanel {
  root: HTMLElement;
  /** The card that has the focus, or the first. */
  focused(): CardView | null;
}

export function quantitiesPanel(app: App): QuantitiesPanel {
  const { store, session } = app;
  const selection = h('div', {});
  const list = h('div', {});
  const kinetic = h('b', { style: 'font-weight:560' });
  const potential = h('b', { style: 'font-weight:560' });
  const state = h('button', { class: 'chip', type: 'button', 'aria-haspopup': 'menu', title: 'Velocities and accelerations', onclick: () => popup(state,
    item('Set velocities with the sliders', () => store.set({ edited: 'qd' })),
    item('Set accelerations with the sliders', () => store.set({ edited: 'qdd' })),
    item('At rest', () => {
      const zeros = session.model?.scene.velocities.map(() => 0) ?? [];
      store.set({ qd: zeros, qdd: zeros, edited: 'q' });
    })) }, 'at rest');
  const energy = h('section', { class: 'card thin', 'aria-label': 'Energy' }, h('div', { class: 'card-head' }, h('span', { class: 'title', style: 'min-width:0' }, 'Energy'), state, h('span', { class: 'spacer' }),
    h('span', { class: 'sm muted' }, 'kinetic'), kinetic, h('span', { class: 'sm muted', style: 'margin-left:10px' }, 'potential'), potential));
  const add = h('button', { class: 'btn line add', type: 'button', onclick: () => app.palette('quantities') }, icon('plus', 16), 'Add a quantity ', h('span', { class: 'muted' }, 'C, J, τ, Ṁ, ∂M/∂q, regressor…'));
  const root = h('div', {}, selection, list, energy, add);
  let views: CardView[] = [];

  /** Keeps the views whose cards are unchanged, so that a change of one face leaves the others alone. */
  const build = (anew: boolean): void => {
    const kept = new Map(anew ? [] : views.map((view) => [view.card, view]));
    views = session.model ? store.now.cards.map((card) => kept.get(card) ?? cardView(app, card)) : [];
    list.replaceChildren(...views.map((view) => view.root));
    energy.classList.toggle('hidden', !session.model);
    add.classList.toggle('hidden', !session.model);
  };
  const numbers = (): void => {
    for (const view of views) view.numbers();
    const [t, u] = [session.numbers('kinetic_energy')?.values[0] ?? 0, session.numbers('potential_energy')?.values[0] ?? 0];
    kinetic.textContent = `${t === 0 ? '0' : Math.abs(t) < 1e-4 ? significant(t) : fixed(t, 4)} J`;
    potential.textContent = `${fixed(u, 2)} J`;
  };
  const showState = (): void => {
    const { qd, qdd } = store.now;
    state.textContent = qd.some((x) => x !== 0) ? 'moving' : qdd.some((x) => x !== 0) ? 'accelerating' : 'at rest';
  };
  store.on(['qd', 'qdd'], showState);
  session.onRobot(() => {
    build(true);
    showState();
    selectionCard(app, selection);
  });
  session.onNumbers(numbers);
  store.on(['cards'], () => build(false));
  store.on(['theme'], numbers);
  store.on(['selected', 'hovered'], () => {
    for (const view of views) view.selected();
  });
  store.on(['selected'], () => selectionCard(app, selection));
  const focused = (): CardView | null => views.find((view) => view.root.contains(document.activeElement)) ?? views[0] ?? null;
  return { root, focused };
}
