// The terms of a flexible arm's equation at a posture, B q̈ + h + g + K q + D q̇ = (u, 0): numbers, equations, and code.

import { Problem } from '../engine/types.ts';
import { fixed } from '../numbers/format.ts';
import { aligned, type Equation } from '../quantities/equations.ts';
import { explain } from '../quantities/face.ts';
import { typeset } from '../quantities/typeset.ts';
import type { Session } from '../state/session.ts';
import { copyText } from '../view/copy.ts';
import { fill, h, press, segmented } from '../view/dom.ts';
import { icon } from '../view/icons.ts';
import { symbol } from '../view/symbols.ts';

interface Derived { text?: string }
interface Terms { B: number[][]; h: number[]; K: number[][]; D: number[][]; g?: number[]; tip: [number, number] }
interface Arm { request: { arm: string }; angles: readonly number[]; modes: readonly number[] }
type Face = 'values' | 'formula' | 'code';

export class ArmTerms {
  readonly root = h('div', {});
  private face: Face = 'values';
  private arm: Arm | null = null;
  private readonly body = h('div', { class: 'body' });
  private readonly faces = segmented<Face>('Face', [['values', 'Values'], ['formula', 'Formula'], ['code', 'Code']], 'values', (face) => {
    this.face = face;
    press(this.faces, face);
    this.draw();
  });

  constructor(private readonly session: Session) {
    this.root.append(h('section', { class: 'card', style: 'border:0' },
      h('div', { class: 'card-head' }, typeset('B\\ddot q+h+Kq+D\\dot q=u'), h('span', { class: 'spacer' }), this.faces), this.body));
  }

  show(arm: Arm): void {
    this.arm = arm;
    this.draw();
  }

  private draw(): void {
    const { arm } = this;
    if (!arm) return;
    if (this.face === 'values') return this.values(arm);
    const target = this.face === 'formula' ? 'latex' : 'c';
    this.body.classList.add('waiting');
    this.session.jobs.run<Derived>('flexible derive', { ...arm.request, quantity: ['inertia', 'velocity'], target }, 'flexible derive').then((derived) => {
      this.body.classList.remove('waiting');
      if (this.face === 'formula') this.formula(derived);
      else this.code(derived);
    }, (reason: unknown) => {
      if (reason instanceof Problem) fill(this.body, explain(reason, 'There are no equations here'));
    });
  }

  private values(arm: Arm): void {
    const count = arm.modes.reduce((a, b) => a + b, 0);
    const q = [...arm.angles, ...Array.from({ length: count }, () => 0)];
    const terms = this.session.engine.handle<Terms>('flexible eval', { ...arm.request, state: JSON.stringify({ q }) });
    const names = [...arm.angles.map((_, i) => ({ letter: 'θ', index: String(i + 1), link: i })), ...arm.modes.flatMap((n, i) => Array.from({ length: n }, (_, k) => ({ letter: 'δ', index: `${i + 1}${k + 1}`, link: i })))];
    fill(this.body, h('p', { class: 'muted sm', style: 'margin:0 0 10px' }, 'At the posture of the sliders of Modes, links straight. Rows and columns: joint angles, then deflections.'),
      matrix('Inertia', 'B', 'inertia', terms.B, names), matrix('Stiffness', 'K', 'stiffness', terms.K, names), matrix('Damping', 'D', 'damping', terms.D, names),
      h('dl', { class: 'pairs', style: 'margin-top:12px' }, h('dt', {}, 'Tip'), h('dd', {}, `${fixed(terms.tip[0], 4)}, ${fixed(terms.tip[1], 4)} m`)));
  }

  private formula(derived: Derived): void {
    const source = derived.text ?? '';
    const copy = h('button', { class: 'btn ink', type: 'button', onclick: () => void copyText(source, copy) }, icon('copy', 16), 'LaTeX');
    const shown = equationsOf(source);
    const few = shown.slice(0, 12);
    const set = (some: typeof shown): HTMLElement => h('div', { style: 'font-size:12.4px' }, typeset(aligned(some, 28), true));
    const rest = h('details', { class: 'parts' }, h('summary', {}, `${shown.length - few.length} more`));
    rest.addEventListener('toggle', () => {
      if (rest.open && rest.childElementCount === 1) rest.append(set(shown.slice(few.length)));
    });
    fill(this.body, h('div', { class: 'eq', 'data-testid': 'equation' }, set(few), shown.length > few.length ? rest : null), h('div', { class: 'foot' }, copy));
  }

  private code(derived: Derived): void {
    const text = derived.text ?? '';
    const command = `jourdain flexible derive ${this.arm?.request.arm ?? ''} --quantity inertia,velocity --target c --out code`;
    const copy = h('button', { class: 'btn ink small', type: 'button', onclick: () => void copyText(text, copy) }, icon('copy', 16), 'Copy');
    const line = h('button', { class: 'btn line small', type: 'button', title: command, onclick: () => void copyText(command, line) }, 'Command line');
    fill(this.body, h('div', { class: 'row', style: 'margin-bottom:8px' }, h('span', { class: 'muted xs' }, 'C99, header and source'), h('span', { class: 'spacer' }), copy, line), h('pre', { class: 'code', tabindex: 0, 'aria-label': 'source', style: 'max-height:56vh' }, text));
  }
}

/** `B_{12} = B_{21} &= …`, an equation per line; brackets of a fixed size, so that lines can be broken inside of them. */
export function equationsOf(source: string): Equation[] {
  return source.split('\n').flatMap((line) => {
    const found = /^(.+?)\s*&=\s*(.+?)(?:\s*\\\\)?$/.exec(line.trim());
    return found ? [{ names: (found[1] ?? '').split('=').map((name) => name.trim()), lines: [(found[2] ?? '').replace(/\\left\(/g, '\\bigl(').replace(/\\right\)/g, '\\bigr)')] }] : [];
  });
}

type Name = { letter: string; index: string; link: number };

/** A heat map of its own: rows are not joints of a robot. */
function matrix(title: string, letter: string, quantity: string, values: readonly (readonly number[])[], names: readonly Name[]): HTMLElement {
  const largest = Math.max(...values.flat().map(Math.abs), 1e-300);
  const head = (name: Name | undefined, kind: string): HTMLElement => h('div', { class: 'head', role: kind, style: `--ci:var(--joint-${((name?.link ?? 0) % 8) + 1}-ink)` }, name ? symbol(name.letter, name.index) : null);
  const grid = h('div', { class: 'heat', role: 'table', 'aria-label': title, 'data-quantity': quantity, style: `grid-template-columns:30px repeat(${values.length}, minmax(0, 1fr))` },
    h('div', { class: 'row-group', role: 'row' }, h('div', { role: 'cell' }), ...values.map((_, j) => head(names[j], 'columnheader'))),
    ...values.map((row, i) => h('div', { class: 'row-group', role: 'row' }, head(names[i], 'rowheader'), ...row.map((x, j) => {
      const share = 0.9 * Math.sqrt(Math.abs(x) / largest);
      const tint = share < 0.004 ? '' : `background-color:color-mix(in srgb, var(${x >= 0 ? '--heat-pos' : '--heat-neg'}) ${(100 * share).toFixed(1)}%, var(--heat-zero));`;
      return h('div', { class: 'cell', role: 'cell', 'data-row': i, 'data-column': j, 'data-value': String(x), style: `${tint}${share > 0.76 ? 'color:var(--on-ink)' : ''}` }, x === 0 ? '0' : Math.abs(x) >= 100 ? fixed(x, 1) : fixed(x, 4));
    }))));
  return h('div', { style: 'margin-bottom:12px' }, h('div', { class: 'sm', style: 'margin:2px 0' }, typeset(letter), ' ', h('b', { style: 'font-weight:580' }, title)), grid);
}
