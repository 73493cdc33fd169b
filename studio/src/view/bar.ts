// The bar: robot, gravity and edits, findings, search, undo, link, export, theme, help.

import { count, significant } from '../numbers/format.ts';
import { writeAddress } from '../state/address.ts';
import type { RobotRequest } from '../engine/types.ts';
import { fill, h } from './dom.ts';
import { icon, mark } from './icons.ts';
import { copyText, saveFile } from './copy.ts';
import { heading, item, popup } from './popup.ts';
import { editMenu, editTexts, without } from './edits.ts';
import { mass } from './links.ts';
import type { App } from './app.ts';

export interface Bar {
  root: HTMLElement;
  /** Files that were dropped and can be opened as robots. */
  files: string[];
  /** Names a flexible arm instead of a robot. */
  showArm(name: string, summary: string): void;
  /** Says that the server is gone, or back. */
  connected(alive: boolean): void;
  /** Names the open robot again, after an arm. */
  showRobot(): void;
}

export function bar(app: App, parts: { arms: () => { name: string; modes: number }[]; openArm: (name: string) => boolean; openFile: (path: string) => void; robots: () => { name: string; dof: number }[]; view: () => number[] | null; picture: () => string; page: (search: string) => Promise<string>; help: () => void; showFindings: () => void }): Bar {
  const { store, session } = app;
  const name = h('b', { 'data-testid': 'robot-name' }, 'No robot');
  const note = h('span', { class: 'muted sm note' });
  const made: Bar = { root: h('header', { class: 'bar' }), files: [], showArm: (arm, summary) => {
    name.textContent = arm;
    note.textContent = summary;
    fill(chips);
  }, connected: (alive) => gone.classList.toggle('hidden', alive), showRobot: () => showRobot() };
  const gone = h('span', { class: 'chip warn hidden', role: 'status' }, icon('warning', 14), 'Not connected: sliders still work here. Restart with `jourdain studio`');
  const robot = h('button', { class: 'btn line robot', type: 'button', 'aria-haspopup': 'menu', onclick: () => robotMenu() }, name, note, icon('down', 14));
  const chips = h('span', { class: 'row wide-only', style: 'flex-wrap:nowrap' });
  const undo = h('button', { class: 'btn icon', type: 'button', 'aria-label': 'Undo', title: 'Undo (Ctrl Z)', onclick: () => store.undo() }, icon('undo'));
  const redo = h('button', { class: 'btn icon', type: 'button', 'aria-label': 'Redo', title: 'Redo (Ctrl Shift Z)', onclick: () => store.redo() }, icon('redo'));
  const link = h('button', { class: 'btn line', type: 'button', 'aria-label': 'Copy link', onclick: () => void copyText(address(), link) }, icon('link', 16), h('span', { class: 'wide-only' }, 'Copy link'));
  const exportButton = h('button', { class: 'btn ink', type: 'button', 'aria-haspopup': 'menu', onclick: () => exportMenu() }, 'Export', icon('down', 14));
  const address = (): string => `${location.href.split(/[?#]/)[0]}?${writeAddress(store.now, parts.view())}`;

  made.root.append(
    h('button', { class: 'btn icon menu-button', type: 'button', 'aria-label': 'Joints and links', onclick: () => document.getElementById('app')?.classList.toggle('drawer') }, icon('menu')),
    h('div', { class: 'wordmark' }, mark(), h('div', {}, 'jourdain ', h('span', {}, 'studio'))),
    robot, chips, gone,
    h('button', { class: 'search', type: 'button', 'aria-label': 'Search or run a command', onclick: () => app.palette('all') }, icon('search', 16), h('span', { class: 'search-text' }, 'Search or run a command'), h('kbd', {}, 'Ctrl K')),
    undo, redo, link, exportButton,
    h('button', { class: 'btn icon', type: 'button', 'aria-label': 'Theme', title: 'Light or dark (T)', onclick: () => store.set({ theme: store.now.theme === 'dark' ? 'light' : 'dark' }) }, icon('moon')),
    h('button', { class: 'btn icon wide-only', type: 'button', 'aria-label': 'Help', title: 'Keys (?)', onclick: () => parts.help() }, icon('help')),
  );

  function robotMenu(): void {
    const current = store.now.arm ?? store.now.robot?.robot;
    popup(robot,
      item('Open a file…', () => app.chooseFiles()),
      made.files.length > 0 ? heading('Your files') : null,
      ...made.files.map((file) => item(file, () => parts.openFile(file), file === current ? 'open' : '')),
      heading('Built in'),
      ...parts.robots().map((one) => item(one.name, () => void session.open({ robot: one.name }), one.name === current ? 'open' : count(one.dof, 'degree'))),
      heading('Flexible arms'),
      ...parts.arms().map((one) => item(one.name, () => void parts.openArm(one.name), count(one.modes, 'mode'))));
  }

  function exportMenu(): void {
    const request = session.request;
    const convert = (to: string, ending: string): HTMLElement => item(`Robot as ${to.toUpperCase()}`, () => {
      if (!request) return;
      const report = session.engine.handle<{ text?: string }>('convert', { ...request, to });
      saveFile(`${session.model?.scene.name ?? 'robot'}.${ending}`, report.text ?? '');
    }, `.${ending}`);
    popup(exportButton,
      heading('Picture'),
      item('PNG of the stage', () => {
        void fetch(parts.picture()).then((answer) => answer.blob()).then((blob) => saveFile(`${session.model?.scene.name ?? 'robot'}.png`, blob, 'image/png'));
      }),
      heading('Page'),
      item('This page as one file', () => void parts.page(writeAddress(store.now, parts.view())).then((text) => saveFile(`${session.model?.scene.name ?? 'studio'}.html`, text, 'text/html')), '.html'),
      heading('Robot, with its edits'),
      convert('urdf', 'urdf'), convert('mjcf', 'xml'), convert('sdf', 'sdf'), convert('toml', 'toml'));
  }

  const showRobot = (): void => {
    const m = session.model;
    name.textContent = m?.scene.name ?? 'No robot';
    note.textContent = m ? `${count(m.scene.velocities.length === m.moving.length ? m.moving.length : m.scene.velocities.length, m.scene.velocities.length === m.moving.length ? 'joint' : 'degree')} · ${mass(m.totalMass)}` : '';
    const request = store.now.robot;
    fill(chips, ...(m && request ? [gravityChip(m.scene.gravity), ...editChips(request), editButton(), findingsChip()] : []));
  };
  const gravityChip = (g: readonly number[]): HTMLElement => {
    const size = Math.hypot(...g);
    const axis = ['x', 'y', 'z'].find((_, i) => Math.abs(Math.abs(g[i] ?? 0) - size) < 1e-9);
    const sign = axis && (g['xyz'.indexOf(axis)] ?? 0) < 0 ? '−' : '';
    return h('span', { class: 'chip' }, size === 0 ? 'no gravity' : `g ${axis ? sign + axis : `(${g.map((x) => significant(x)).join(', ')})`} ${significant(size)} m/s²`);
  };
  const editChips = (request: RobotRequest): HTMLElement[] => editTexts(request).map(({ text, key, value }) =>
    h('button', { class: 'chip', type: 'button', title: 'Take this edit back', onclick: () => session.edit(without(request, key, value)) }, text, icon('close', 12)));
  const editButton = (): HTMLElement => {
    const button = h('button', { class: 'chip dash', type: 'button', 'aria-haspopup': 'dialog', onclick: () => editMenu(app, button) }, icon('plus', 12), h('span', {}, 'payload, lock, float…'));
    return button;
  };
  const findingsChip = (): HTMLElement | null => {
    const found = session.model?.scene.findings ?? [];
    if (found.length === 0) return null;
    const errors = found.filter((finding) => finding.severity === 'error').length;
    return h('button', { class: errors > 0 ? 'chip err' : 'chip warn', type: 'button', onclick: () => parts.showFindings() },
      icon(errors > 0 ? 'error' : 'warning', 14), errors > 0 ? count(errors, 'error') : count(found.length, 'warning'));
  };
  session.onRobot(showRobot);
  const steps = (): void => {
    undo.disabled = !store.canUndo;
    redo.disabled = !store.canRedo;
  };
  store.on(['robot', 'arm', 'q', 'qd', 'qdd', 'cards', 'target', 'criterion', 'scenario'], steps);
  steps();
  return made;
}
