// The Formula face: equations typeset in the robot's own symbols, numbers or base parameters, coloured by joint.
//
// A robot with more than four joints would fill forty screens: there one element is shown at a time, its named parts folded.

import { quantityTitle } from './names.ts';
import { derive, operationText, type Derivation } from './derivations.ts';
import { aligned, element, neededParts, readEquations, trigonometric, type Equation, type Equations } from './equations.ts';
import { colourJoints, typeset } from './typeset.ts';
import { fill, h, segmented } from '../view/dom.ts';
import { icon } from '../view/icons.ts';
import { copyText } from '../view/copy.ts';
import type { App } from '../view/app.ts';
import type { Card, Language } from '../state/store.ts';
import type { Model } from '../state/model.ts';
import { explain, type FaceView } from './face.ts';

const large = 4;
const languages: [Language, string][] = [['c', 'C'], ['rust', 'Rust'], ['python', 'Python'], ['matlab', 'MATLAB']];

export function formulaFace(app: App, card: Card, change: (card: Partial<Card>) => void): FaceView {
  const { session } = app;
  const counts = h('span', { class: 'muted xs figures-of' });
  const equation = h('div', { class: 'eq', 'data-testid': 'equation' });
  const meanings = h('div', {});
  const chip = h('span', { class: 'chip hidden' });
  const latex = h('button', { class: 'btn ink small', type: 'button', onclick: () => void copyLatex() }, icon('copy', 16), 'LaTeX');
  let copy = '';
  const copyLatex = async (): Promise<void> => copyText(copy, latex);
  const root = h('div', { class: 'body' },
    h('div', { class: 'row', style: 'margin-bottom:8px' },
      segmented('Parameters', [['numeric', 'Numbers'], ['symbolic', 'Symbols'], ['base', 'Base parameters']], card.form, (form) => change({ form })), h('span', { class: 'spacer' }), latex),
    equation, meanings,
    h('div', { class: 'foot' },
      ...languages.map(([language, text]) => h('button', { class: 'btn line small', type: 'button', onclick: () => change({ face: 'code', language }) }, text)), counts, chip));

  const draw = (derivation: Derivation): void => {
    const m = session.model;
    const source = Object.values(derivation.sources)[0];
    if (!m || source === undefined) return;
    counts.textContent = operationText(derivation.operations);
    const equations = readEquations(source);
    const one = m.scene.velocities.length > large || equations.parts.length > 24;
    const shown = one ? chosen(equations, card) : null;
    copy = shown ? `${source.split('\n')[0]}\n\\begin{align*}\n${[...neededParts(equations, shown), shown].map((e) => `${e.names.join(' = ')} ={}& ${e.lines.join(' \\\\\n& \\quad {} ')}`).join(' \\\\\n')}\n\\end{align*}\n` : source;
    if (one) drawElement(m, equations, shown);
    else drawAll(m, equations);
    light(m);
  };
  const drawAll = (m: Model, equations: Equations): void => {
    fill(equation, fitted([...equations.parts, ...equations.elements], m, trigonometric(equations)));
    fill(meanings, equations.meanings.length > 0 && equations.meanings.length <= 14 ? table(equations) : equations.meanings.length > 0 ? folded(`${equations.meanings.length} symbols`, () => table(equations)) : null);
  };
  const drawElement = (m: Model, equations: Equations, shown: Equation | null): void => {
    if (!shown) {
      fill(equation, h('span', { class: 'muted sm' }, 'This element has no formula of its own.'));
      return;
    }
    const parts = neededParts(equations, shown);
    const trig = trigonometric(equations);
    fill(equation, chooser(m, equations, card, change), fitted([shown], m, trig),
      parts.length > 0 ? folded(`${parts.length} named parts`, () => fitted(parts, m, trig)) : null);
    fill(meanings, equations.meanings.length > 0 ? folded(`${equations.meanings.length} symbols`, () => table(equations)) : null);
  };
  /** How many of the variables here belong to the selected joint. */
  const light = (m: Model): void => {
    const hot = hotJoint(app, m);
    if (hot === null) {
      delete root.dataset['hot'];
      chip.classList.add('hidden');
      return;
    }
    root.dataset['hot'] = String(hot);
    const all = equation.querySelectorAll('.katex-html [class*=qc]').length;
    const here = equation.querySelectorAll(`.katex-html .qc${hot}`).length;
    fill(chip, h('i', { class: 'swatch', style: `--c:var(--j${hot});margin:0` }), `${here} of ${all} variables here belong to ${m.moving[hot]?.name ?? ''}`);
    chip.classList.remove('hidden');
  };
  const request = session.request;
  root.classList.add('waiting');
  if (request) {
    derive(session.jobs, request, card.quantity, 'latex', card.form).then(
      (derivation) => {
        root.classList.remove('waiting');
        draw(derivation);
      },
      (reason: unknown) => fill(equation, explain(reason, `${quantityTitle(card.quantity)} has no formula here`)),
    );
  }
  return { root, selected: () => { if (session.model) light(session.model); }, copy: () => void copyLatex() };
}

export function hotJoint(app: App, m: Model): number | null {
  const { hovered, selected } = app.store.now;
  if (hovered !== null) return hovered;
  const link = m.scene.links.findIndex((one) => one.name === selected);
  return m.moving.find((joint) => joint.link === link)?.index ?? null;
}

function chosen(equations: Equations, card: Card): Equation | null {
  if (card.element) return element(equations, card.element[0], card.element[1]);
  return equations.elements[0] ?? null;
}

/** Which element: a menu, since the heat map is on the other face. */
function chooser(m: Model, equations: Equations, card: Card, change: (card: Partial<Card>) => void): HTMLElement {
  const names = equations.elements.flatMap((one) => one.names);
  const now = chosen(equations, card)?.names ?? [];
  const choice = h('select', { class: 'menu', 'aria-label': 'Element' });
  for (const name of names) {
    const inside = /_\{([^}]*)\}$/.exec(name)?.[1] ?? '';
    choice.append(h('option', { value: name, selected: name === now[0] }, inside.includes(',') ? inside : inside.split('').join(', ')));
  }
  choice.addEventListener('change', () => {
    const inside = /_\{([^}]*)\}$/.exec(choice.value)?.[1] ?? '';
    const at = (inside.includes(',') ? inside.split(',') : inside.split('')).map((part) => Number(part) - 1);
    change({ element: [at[0] ?? 0, at[1] ?? 0] });
  });
  return h('div', { class: 'pages' }, 'element', choice, `of ${names.length}; a click on a cell of Values chooses too`, m.moving.length > 0 ? '' : '');
}

/** The largest of three sizes at which the equations fit; if none, lines are broken until they do. */
function fitted(equations: readonly Equation[], m: Model, trig: ReadonlySet<string>): HTMLElement {
  const element = h('div', {});
  const set = (size: number, width: number): void => {
    element.style.fontSize = `${size}px`;
    fill(element, typeset(colourJoints(aligned(equations, width), m, trig), true));
  };
  const tries: [number, number][] = [[15, 64], [13.4, 64], [13.4, 48], [13.4, 38], [12.4, 38], [12.4, 30], [11.4, 24]];
  const long = equations.length > 12;
  set(...(tries[long ? 3 : 0] as [number, number]));
  // Once it has a width; typesetting is far from any slider.
  requestAnimationFrame(() => {
    for (const next of long ? tries.slice(4) : tries.slice(1)) {
      const host = element.closest<HTMLElement>('.eq');
      const inner = element.querySelector<HTMLElement>('.katex-html');
      if (!host || !inner || inner.scrollWidth <= host.clientWidth) return;
      set(...next);
    }
  });
  return element;
}

function folded(title: string, content: () => HTMLElement): HTMLElement {
  const details = h('details', { class: 'parts' }, h('summary', {}, title));
  details.addEventListener('toggle', () => {
    if (details.open && details.childElementCount === 1) details.append(content());
  });
  return details;
}

function table(equations: Equations): HTMLElement {
  const root = h('dl', { class: 'meanings' });
  for (const { symbol, value, text } of equations.meanings) root.append(h('dt', {}, typeset(symbol)), h('dd', {}, typeset(value)), h('dd', {}, text));
  return root;
}
