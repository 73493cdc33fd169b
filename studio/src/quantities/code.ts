// The Code face: the source as it is saved, with its own words set apart and joints in their colours.

import { derive, operationText, type Derivation } from './derivations.ts';
import { quantityTitle } from './names.ts';
import { explain, type FaceView } from './face.ts';
import { fill, h, segmented } from '../view/dom.ts';
import { icon } from '../view/icons.ts';
import { copyText, saveFile } from '../view/copy.ts';
import type { App } from '../view/app.ts';
import type { Card, Language } from '../state/store.ts';
import type { Model } from '../state/model.ts';

const notes: Record<Language, string> = { c: 'C99, self-test inside', rust: 'no_std, self-test inside', python: 'NumPy, self-test inside', matlab: 'MATLAB and Octave' };

export function codeFace(app: App, card: Card, change: (card: Partial<Card>) => void): FaceView {
  const { session } = app;
  const code = h('pre', { class: 'code', tabindex: 0, 'aria-label': `${card.quantity} in ${card.language}` });
  const counts = h('span', { class: 'muted xs' });
  const files = h('span', { class: 'muted xs', style: 'margin-left:auto' });
  let sources: [string, string][] = [];
  const copyAll = async (): Promise<void> => copyText(sources.map(([, text]) => text).join('\n'), copy);
  const copy = h('button', { class: 'btn ink small', type: 'button', onclick: () => void copyAll() }, icon('copy', 16), 'Copy');
  const save = h('button', { class: 'btn line small', type: 'button', onclick: () => sources.forEach(([name, text]) => saveFile(name, text)) }, 'Save…');
  const root = h('div', { class: 'body' },
    h('div', { class: 'row', style: 'margin-bottom:8px' },
      segmented<Language>('Language', [['c', 'C'], ['rust', 'Rust'], ['python', 'Python'], ['matlab', 'MATLAB']], card.language, (language) => change({ language })),
      h('span', { class: 'spacer' }), copy, save),
    code, h('div', { class: 'foot' }, counts, h('span', { class: 'muted xs' }, notes[card.language]), files));
  const request = session.request;
  if (request) {
    // Code takes the robot's numbers unless base parameters were asked for: symbols as inputs are for reading.
    derive(session.jobs, request, card.quantity, card.language, 'numeric').then(
      (derivation: Derivation) => {
        sources = Object.entries(derivation.sources);
        counts.textContent = operationText(derivation.operations);
        files.textContent = sources.map(([name]) => name).join(', ');
        const main = sources.find(([name]) => !name.endsWith('.h'))?.[1] ?? '';
        if (session.model) fill(code, highlighted(main, card.language, session.model));
        scrollToFunction(code, main);
      },
      (reason: unknown) => fill(code, explain(reason, `${quantityTitle(card.quantity)} has no source here`)),
    );
  }
  return { root, copy: () => void copyAll() };
}

/** Shows the quantity's own function first, not the helpers above it. */
function scrollToFunction(code: HTMLElement, text: string): void {
  const at = text.search(/^(?:void |pub fn |def |function )/m);
  const line = text.slice(0, Math.max(0, at)).split('\n').length - 1;
  code.scrollTop = line > 0 ? (code.scrollHeight / Math.max(1, text.split('\n').length)) * line : 0;
}

const words: Record<Language, RegExp> = {
  c: /\b(?:void|const|double|restrict|static|int|for|if|return|typedef|union|unsigned|long|include|define|ifdef|ifndef|endif)\b/,
  rust: /\b(?:pub|fn|let|const|mut|for|in|if|impl|use|mod|return|f64|trait|struct)\b/,
  python: /\b(?:def|import|from|return|for|in|if|as|None|with|assert|else)\b/,
  matlab: /\b(?:function|end|for|if|else|return)\b/,
};
const comments: Record<Language, RegExp> = { c: /\/\*[\s\S]*?\*\//, rust: /\/\/[^\n]*/, python: /#[^\n]*|"""[\s\S]*?"""/, matlab: /%[^\n]*/ };

function highlighted(text: string, language: Language, m: Model): DocumentFragment {
  const fragment = document.createDocumentFragment();
  const pattern = new RegExp(`(${comments[language].source})|(${words[language].source})|(\\bq(?:d{0,4})[\\[(](\\d+)[\\])])`, 'g');
  let last = 0;
  for (const match of text.matchAll(pattern)) {
    fragment.append(text.slice(last, match.index));
    const index = Number(match[4]) - (language === 'matlab' ? 1 : 0);
    const joint = match[3] === undefined ? undefined : m.moving.find((one) => one.coordinate === index);
    fragment.append(h('span', { class: match[1] ? 'c' : match[2] ? 'k' : joint ? `qc${joint.index}` : '' }, match[0]));
    last = match.index + match[0].length;
  }
  fragment.append(text.slice(last));
  return fragment;
}
