// A card: one quantity with three faces. The head stays, the face is made anew when it changes.

import { Checks } from './checks.ts';
import { codeFace } from './code.ts';
import { derive, operationText } from './derivations.ts';
import type { FaceView } from './face.ts';
import { formulaFace, hotJoint } from './formula.ts';
import { quantitySymbol, quantityTitle } from './names.ts';
import { typeset } from './typeset.ts';
import { effortScaled, values, type Values } from './values.ts';
import { significant } from '../numbers/format.ts';
import { numberElement } from '../view/symbols.ts';
import type { Card, Face } from '../state/store.ts';
import { newCard } from '../state/address.ts';
import type { App } from '../view/app.ts';
import { editArguments } from '../view/edits.ts';
import { fill, h, segmented } from '../view/dom.ts';
import { icon } from '../view/icons.ts';
import { copyText } from '../view/copy.ts';
import { item, popup } from '../view/popup.ts';

export interface CardView {
  root: HTMLElement;
  card: Card;
  numbers(): void;
  selected(): void;
  copy(): void;
}

export function cardView(app: App, card: Card): CardView {
  const { store, session } = app;
  const change = (part: Partial<Card>): void => {
    store.set({ cards: store.now.cards.map((one) => (one.id === card.id ? { ...one, ...part } : one)) });
  };
  const symbol = quantitySymbol(card.quantity);
  const more = h('button', { class: 'btn icon', type: 'button', 'aria-label': 'More', 'aria-haspopup': 'menu', onclick: () => menu() }, icon('more'));
  const note = h('span', { class: 'note' });
  const faces = segmented<Face>('Face', [['values', 'Values'], ['formula', 'Formula'], ['code', 'Code']], card.face, (face) => change({ face, folded: false }));
  const head = h('div', { class: 'card-head' }, symbol ? typeset(symbol) : null,
    h('span', { class: 'title', title: session.quantities.find((q) => q.name === card.quantity.replace(/:.*/, ':L'))?.about ?? '' }, quantityTitle(card.quantity)),
    note, h('span', { class: 'spacer' }), faces, more);
  const root = h('section', { class: card.folded ? 'card folded' : 'card', 'data-card': card.id, 'aria-label': quantityTitle(card.quantity) }, head);
  let face: FaceView | null = null;
  if (card.folded) {
    note.textContent = 'folded';
  } else {
    face = card.face === 'values' ? valuesFace(app, card, change, note) : card.face === 'formula' ? formulaFace(app, card, change) : codeFace(app, card, change);
    root.append(face.root);
  }

  function menu(): void {
    const request = session.request;
    const all = store.now.cards;
    const at = all.findIndex((one) => one.id === card.id);
    const command = request ? `jourdain eval ${request.robot}${editArguments(request)} --quantity ${card.quantity} --state '${JSON.stringify({ q: store.now.q })}'` : '';
    popup(more,
      item(card.folded ? 'Unfold' : 'Fold', () => change({ folded: !card.folded })),
      item('Duplicate', () => store.set({ cards: [...all.slice(0, at + 1), { ...card, id: newCard(card.quantity).id }, ...all.slice(at + 1)] })),
      at > 0 ? item('Move up', () => store.set({ cards: [...all.slice(0, at - 1), all[at] as Card, all[at - 1] as Card, ...all.slice(at + 1)] })) : null,
      card.against ? item('Stop comparing', () => change({ against: null })) : null,
      ...(card.against ? [] : [item('Compare with this position', () => change({ against: [...store.now.q], face: 'values', folded: false })),
        ...Object.entries({ home: session.model?.home ?? [], ...session.model?.scene.states }).map(([name, q]) => item(`Compare with ${name}`, () => change({ against: [...q], face: 'values', folded: false })))]),
      item('Remove', () => store.set({ cards: all.filter((one) => one.id !== card.id) })),
      item('Copy command line', () => void copyText(command, null)));
  }

  return { root, card, numbers: () => face?.numbers?.(), selected: () => face?.selected?.(), copy: () => face?.copy?.() };
}

function valuesFace(app: App, card: Card, change: (part: Partial<Card>) => void, note: HTMLElement): FaceView {
  const { session, store } = app;
  const body = h('div', { class: 'body' });
  const foot = h('div', { class: 'foot' });
  const root = h('div', {}, body, foot);
  let shown: Values | null = null;
  const count = h('span', {});
  const condition = h('span', {});
  const marks = h('span', { class: 'row', style: 'gap:4px 10px' });
  foot.append(marks, h('span', { class: 'muted xs figures-of' }, condition, count));
  const reference = card.against ? referenceValues(app, card.quantity, card.against) : null;
  const numbers = (): void => {
    const now = session.numbers(card.quantity);
    const found = now && reference ? { ...now, values: now.values.map((x, i) => x - (reference[i] ?? 0)) } : now;
    const m = session.model;
    if (!found || !m) return;
    const fresh = shown === null;
    if (!shown) {
      shown = values(found, { quantity: card.quantity, counts: countsOf(app, card.quantity), model: m, dark: () => store.now.theme === 'dark', pick: (row, column) => change({ face: 'formula', element: [row, column] }) });
      if (reference) {
        // The cells hold a difference: they are not the quantity that its name promises.
        const holder = shown.root.matches('[data-quantity]') ? shown.root : shown.root.querySelector('[data-quantity]');
        holder?.removeAttribute('data-quantity');
        holder?.setAttribute('data-difference', card.quantity);
        body.append(h('div', { class: 'pages' }, h('span', { class: 'chip' }, 'change since', h('span', { class: 'muted' }, positionText(card.against ?? []))), h('button', { class: 'btn small', type: 'button', onclick: () => change({ against: null }) }, 'Stop comparing')));
      }
      body.append(shown.root);
      note.textContent = found.unit;
      if (effortScaled(card.quantity) && m.moving.every((joint) => joint.effort) && m.moving.length === m.scene.velocities.length) fill(marks, h('span', { class: 'muted xs' }, 'a full bar is the effort limit'));
      const { request } = session;
      if (request) derive(session.jobs, request, card.quantity, 'c', 'numeric').then(({ operations }) => { count.textContent = operationText(operations); }, () => {});
    }
    shown.write(found);
    if (fresh) selected();
    later();
  };
  const selected = (): void => {
    const m = session.model;
    const hot = m ? hotJoint(app, m) : null;
    shown?.mark?.(hot === null ? -1 : (m?.moving[hot]?.velocity ?? -1));
  };
  const checks = card.quantity === 'mass_matrix' && !reference ? checksOf(app) : null;
  let timer = 0;
  const later = (): void => {
    if (!checks) return;
    clearTimeout(timer);
    timer = window.setTimeout(() => {
      if (!root.isConnected) return;
      const found = checks.massMatrix(store.now.q);
      if (!found) return;
      fill(marks, ...massMarks(found));
      condition.textContent = found.definite ? `condition ${significant(found.condition, 3)}` : '';
    }, 120);
  };
  return { root, numbers, selected };
}

/** The quantity at another position, with the velocities that are shown now. */
function referenceValues(app: App, quantity: string, q: readonly number[]): Float64Array | null {
  const plan = app.session.sidePlan([quantity]);
  if (!plan) return null;
  plan.input('q')?.set(q);
  plan.input('qd')?.set(app.store.now.qd);
  plan.input('qdd')?.set(app.store.now.qdd);
  plan.run();
  const values = Float64Array.from(plan.output(quantity));
  plan.drop();
  return values;
}

const positionText = (q: readonly number[]): string => `q = (${q.slice(0, 7).map((x) => significant(x, 2)).join(', ')}${q.length > 7 ? ', …' : ''})`;

/** What the indices of a quantity count; a time derivative of any order is shaped as its first one is listed. */
function countsOf(app: App, quantity: string): readonly string[] {
  const kind = quantity.replace(/:.*/, ':L').replace(/_d\d+$/, '_dN');
  return app.session.quantities.find((one) => one.name === kind || one.short.includes(kind))?.shape ?? [];
}

let sharedChecks: Checks | null = null;
const checksOf = (app: App): Checks => (sharedChecks ??= new Checks(app.session));

function massMarks(found: NonNullable<ReturnType<Checks['massMatrix']>>): HTMLElement[] {
  const mark = (good: boolean, ...content: (Node | string)[]): HTMLElement => h('span', { class: good ? 'check' : 'check err' }, icon(good ? 'check' : 'error', 14), ...content);
  const marks = [mark(found.symmetric && found.definite, found.symmetric ? (found.definite ? 'symmetric, positive definite' : 'not positive definite') : 'not symmetric')];
  if (found.residual !== null) marks.push(mark(found.residual < 1e-9, typeset('\\dot M = C + C^{\\mathsf T}'), ' to ', found.residual === 0 ? 'the last bit' : numberElement(found.residual, 1)));
  return marks;
}
