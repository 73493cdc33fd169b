// Before there is a robot: where to drop one, and what it brings.

import { fill, h } from './dom.ts';
import { mark } from './icons.ts';
import type { App } from './app.ts';

const examples = ['planar2r', 'panda', 'iiwa14', 'ur5', 'puma560', 'humanoid25'];

export interface EmptyStage {
  root: HTMLElement;
  /** Asks for a file that a link names: files stay on the machine they came from. */
  askFor(file: string): void;
}

export function emptyStage(app: App): EmptyStage {
  const title = h('h1', {}, 'Drop a robot here');
  const text = h('p', {}, 'URDF, xacro folder, MJCF, SDF or a TOML file.', h('br'), 'It stays on this machine.');
  const askFor = (file: string): void => {
    title.textContent = `Drop ${file} here`;
    fill(text, 'This link shows a file, and files stay on the machine they came from.', h('br'), 'With it the view is as it was.');
  };
  const root = h('div', { class: 'drop' }, h('div', { class: 'box' }, mark(46), title, text,
    h('button', { class: 'btn ink', type: 'button', style: 'height:34px;padding:0 14px', onclick: () => app.chooseFiles() }, 'Open a file'),
    h('div', { style: 'margin-top:22px', class: 'muted sm' }, 'or start with'),
    h('div', { style: 'display:flex;gap:6px;justify-content:center;margin-top:8px;flex-wrap:wrap' },
      ...examples.map((name) => h('button', { class: 'btn line', type: 'button', 'data-robot': name, onclick: () => void app.session.open({ robot: name }) }, name)))));
  return { root, askFor };
}

export function emptyPanel(): HTMLElement {
  const rows: [string, string][] = [
    ['Values', 'M, C, g, J, τ … live at the joint sliders'], ['Formula', 'typeset, in numbers, symbols or base parameters'], ['Code', 'C, Rust, Python, MATLAB, with a self-test'],
    ['Reach', 'the best posture for a target, with a certificate'], ['Parameters', 'drop a log: what the robot really weighs'],
  ];
  return h('section', { class: 'card', style: 'border:0' }, h('div', { class: 'card-head' }, h('span', { class: 'title' }, 'What you get')),
    ...rows.map(([name, text]) => h('div', { style: 'display:grid;grid-template-columns:92px 1fr;padding:9px 0;border-top:1px solid var(--line)' }, h('b', { style: 'font-weight:580' }, name), h('span', { class: 'muted' }, text))));
}
