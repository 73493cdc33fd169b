// The palette: quantities, links, joints, robots, actions, found by name; and commands that are run as typed.

import { quantitySymbol, quantityTitle } from '../quantities/names.ts';
import { typeset } from '../quantities/typeset.ts';
import { parseValue } from '../numbers/parse.ts';
import { newCard } from '../state/address.ts';
import type { Language, Task } from '../state/store.ts';
import type { App } from './app.ts';
import { copyText } from './copy.ts';
import { h } from './dom.ts';
import { editArguments } from './edits.ts';
import { goHome, goRandom, moveJoint } from './joints.ts';

interface Entry {
  what: string;
  about: string;
  /** The command line that does the same, or a key. */
  how: string;
  words: string;
  symbol: string | null;
  act(): void;
}

let shown: HTMLElement | null = null;

export function closePalette(): boolean {
  const was = shown !== null;
  shown?.remove();
  shown = null;
  return was;
}

export function openPalette(app: App, filter: 'all' | 'quantities', robots: readonly string[], arms: readonly string[], openArm: (name: string) => boolean): void {
  closePalette();
  const back = document.activeElement as HTMLElement | null;
  const all = filter === 'quantities' ? quantities(app) : [...quantities(app), ...actions(app), ...linksAndJoints(app), ...robots.map((robot) => robotEntry(app, robot)),
    ...arms.map((name) => ({ what: name, about: 'flexible arm', symbol: null, words: `${name} flexible arm open`, how: `jourdain studio ${name}`, act: () => void openArm(name) }))];
  const input = h('input', { type: 'text', 'aria-label': 'Search or run a command', placeholder: filter === 'quantities' ? 'Add a quantity' : 'Search, or q2=pi/4, M latex, ik 0.4 0.1 0.5, payload tool=1', spellcheck: 'false', autocomplete: 'off' });
  const list = h('ul', { role: 'listbox' });
  const box = h('div', { class: 'box', role: 'dialog', 'aria-label': 'Palette' }, input, list);
  shown = h('div', { class: 'palette', onpointerdown: (event: PointerEvent) => { if (event.target === shown) closePalette(); } }, box);
  let entries: Entry[] = [];
  let at = 0;
  const render = (): void => {
    const text = input.value.trim();
    const typed = text === '' ? null : command(app, text);
    entries = [...(typed ? [typed] : []), ...all.map((entry) => ({ entry, score: score(entry, text) })).filter((one) => one.score > 0).toSorted((a, b) => b.score - a.score).map((one) => one.entry)].slice(0, 40);
    at = 0;
    list.replaceChildren(...entries.map((entry, i) => h('li', { role: 'option', 'aria-selected': String(i === 0), onpointermove: () => select(i), onclick: () => run(entry) },
      entry.symbol ? typeset(entry.symbol) : h('span', {}), h('span', { class: 'what' }, entry.what, h('span', { class: 'about' }, entry.about)), h('span', { class: 'how' }, entry.how))));
    if (entries.length === 0) list.append(h('li', { class: 'none' }, 'Nothing has this name.'));
  };
  const select = (i: number): void => {
    if (i === at || i < 0 || i >= entries.length) return;
    list.children[at]?.setAttribute('aria-selected', 'false');
    at = i;
    list.children[at]?.setAttribute('aria-selected', 'true');
    list.children[at]?.scrollIntoView({ block: 'nearest' });
  };
  const run = (entry: Entry | undefined): void => {
    closePalette();
    back?.focus();
    entry?.act();
  };
  input.addEventListener('input', render);
  box.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape') {
      closePalette();
      back?.focus();
    }
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      select(at + (event.key === 'ArrowDown' ? 1 : -1));
    }
    if (event.key === 'Enter') run(entries[at]);
    if (event.key === 'c' && (event.ctrlKey || event.metaKey) && input.selectionStart === input.selectionEnd) void copyText(entries[at]?.how ?? '', null);
  });
  document.body.append(shown);
  render();
  input.focus();
}

/** Zero if a word of the text is missing; more for a match at the start of the name or a short name that is met exactly. */
function score(entry: Entry, text: string): number {
  if (text === '') return 1;
  const words = entry.words.toLowerCase();
  const parts = text.toLowerCase().split(/\s+/);
  if (!parts.every((part) => words.includes(part))) return 0;
  const exact = entry.words.split(' ').includes(text) ? 100 : 0;
  return 1 + exact + (entry.what.toLowerCase().startsWith(text.toLowerCase()) ? 10 : 0) - entry.what.length / 100;
}

function quantities(app: App): Entry[] {
  const { session, store } = app;
  const m = session.model;
  if (!m) return [];
  const link = store.now.selected ?? m.scene.links[m.tool]?.name ?? '';
  const robot = session.request;
  // Those with a short name come first: they are what people mostly look for.
  return session.quantities.toSorted((a, b) => Number(b.short.length > 0) - Number(a.short.length > 0)).filter((one) => !one.name.endsWith('_dN') && !one.inputs.some((input) => input.startsWith('wrench') && one.name.startsWith('external'))).map((one) => {
    const name = one.name.replace(/:L$/, `:${link}`);
    return {
      what: quantityTitle(name), about: one.about, symbol: quantitySymbol(name), words: `${quantityTitle(name)} ${one.name} ${one.short.join(' ')} ${one.about}`,
      how: robot ? `jourdain eval ${robot.robot}${editArguments(robot)} --quantity ${name}` : '',
      act: () => showQuantity(app, name),
    };
  });
}

/** Opens the card of a quantity, or unfolds the one that is there. */
export function showQuantity(app: App, quantity: string): void {
  const { store } = app;
  const there = store.now.cards.find((card) => card.quantity === quantity);
  const cards = there ? store.now.cards.map((card) => (card === there ? { ...card, folded: false } : card)) : [...store.now.cards, newCard(quantity)];
  store.set({ cards, task: 'quantities' });
  requestAnimationFrame(() => {
    const id = cards.find((card) => card.quantity === quantity)?.id;
    document.querySelector(`[data-card="${id}"]`)?.scrollIntoView({ block: 'nearest' });
  });
}

function linksAndJoints(app: App): Entry[] {
  const m = app.session.model;
  if (!m) return [];
  return m.scene.links.map((link) => ({
    what: link.name, about: `link, ${link.joint.kind} joint ${link.joint.name}`, symbol: null, words: `${link.name} ${link.joint.name} link joint`, how: '', act: () => app.store.set({ selected: link.name }),
  }));
}

function robotEntry(app: App, name: string): Entry {
  return { what: name, about: /[./]/.test(name) ? 'your file' : 'built-in robot', symbol: null, words: `${name} robot open`, how: `jourdain studio ${name}`, act: () => void app.session.open({ robot: name }) };
}

function actions(app: App): Entry[] {
  const { store } = app;
  const action = (what: string, key: string, act: () => void): Entry => ({ what, about: '', symbol: null, words: what, how: key, act });
  const tab = (task: Task, text: string, key: string): Entry => action(text, key, () => store.set({ task }));
  return [
    action('Home', 'H', () => goHome(app)), action('Random position', 'R', () => goRandom(app)), action('Open a file…', '', () => app.chooseFiles()),
    action('Light or dark', 'T', () => store.set({ theme: store.now.theme === 'dark' ? 'light' : 'dark' })),
    action('Radians or degrees', 'D', () => store.set({ unit: store.now.unit === 'rad' ? 'deg' : 'rad' })),
    action('Undo', 'Ctrl Z', () => store.undo()), action('Redo', 'Ctrl Shift Z', () => store.redo()),
    tab('quantities', 'Quantities', '1'), tab('reach', 'Reach', '2'), tab('parameters', 'Parameters', '3'), tab('motion', 'Motion', '4'),
  ];
}

/** `q2=pi/4`, `ik 0.4 0.1 0.5`, `link3=45deg`, `M latex`, `gravity c`, `payload tool=1`, `lock link3=0.2`. */
function command(app: App, text: string): Entry | null {
  const { session, store } = app;
  const m = session.model;
  const request = session.request;
  if (!m || !request) return null;
  const entry = (what: string, how: string, act: () => void): Entry => ({ what, about: 'run', how, words: '', symbol: null, act });
  const set = /^([\w./-]+)\s*=\s*(.+)$/.exec(text);
  if (set) {
    const number = /^q_?(\d+)$/.exec(set[1] ?? '');
    const joint = number ? m.moving.find((one) => one.coordinate + 1 === Number(number[1])) : m.moving.find((one) => one.name === set[1]);
    const value = parseValue(set[2] ?? '', store.now.unit === 'deg' && !joint?.prismatic);
    if (joint && value !== null) return entry(`Set ${joint.name} to ${set[2]}`, '', () => moveJoint(app, joint, value, null));
  }
  const reach = /^ik((?:\s+[\w.+/*-]+){3})$/.exec(text);
  const place = reach?.[1]?.trim().split(/\s+/).map((part) => parseValue(part));
  if (place && place.every((x) => x !== null)) {
    const link = m.scene.links[m.tool]?.name ?? '';
    const position = place as [number, number, number];
    return entry(`Reach for ${position.join(', ')} m with ${link}`, `jourdain ik ${request.robot}${editArguments(request)} --link ${link} --task position --target '${JSON.stringify({ position })}'`, () => {
      store.set({ target: { link, task: 'position', position, rotation: store.now.target?.rotation ?? [[1, 0, 0], [0, 1, 0], [0, 0, 1]] }, task: 'reach' });
    });
  }
  const edit = /^(payload|lock|without|only)\s+(\S+)$/.exec(text);
  if (edit) {
    const key = edit[1] as 'payload' | 'lock' | 'without' | 'only';
    return entry(`Edit: ${text}`, `--${key} ${edit[2]}`, () => void session.edit({ ...request, [key]: [...(request[key] ?? []), edit[2] ?? ''] }));
  }
  const face = /^(\S+)\s+(latex|formula|c|rust|python|matlab|values)$/i.exec(text);
  const quantity = face ? session.quantities.find((one) => one.name === face[1] || one.short.includes(face[1] ?? '')) : undefined;
  if (face && quantity) {
    const target = (face[2] ?? '').toLowerCase();
    const code = ['c', 'rust', 'python', 'matlab'].includes(target);
    return entry(`${quantityTitle(quantity.name)}: ${target}`, `jourdain derive ${request.robot}${editArguments(request)} --quantity ${quantity.name} --target ${target}`, () => {
      const card = newCard(quantity.name, code ? 'code' : target === 'values' ? 'values' : 'formula');
      store.set({ cards: [{ ...card, language: code ? (target as Language) : 'c' }, ...store.now.cards], task: 'quantities' });
    });
  }
  return null;
}
