// Equations typeset, with the colour of a joint on each of its variables.

import katex from 'katex';
import { h } from '../view/dom.ts';
import type { Model } from '../state/model.ts';

export function typeset(tex: string, display = false): HTMLElement {
  const element = h('span', {});
  // Every thin space is an expansion: the usual bound of a thousand is met by one long equation.
  katex.render(tex, element, { displayMode: display, maxExpand: 1e6, trust: ({ command }) => command === '\\htmlClass', strict: false, throwOnError: false });
  return element;
}

/** Wraps q, q̇, q̈ and τ of each joint, and the names of their sines and cosines, in the class of the joint. */
export function colourJoints(tex: string, m: Model, trigonometric: ReadonlySet<string> = new Set()): string {
  const joint = (index: string): string | null => {
    const found = m.moving.find((one) => one.coordinate + 1 === Number(index));
    return found ? `qc${found.index}` : null;
  };
  const wrap = (whole: string, index: string): string => {
    const name = joint(index);
    return name ? `\\htmlClass{${name}}{${whole}}` : whole;
  };
  return tex.replace(
    /\\(?:d{1,4}ot)\{q\}_\{(\d+)\}(?:\^\{\d+\})?|\\tau_\{(\d+)\}|(?<![A-Za-z\\{])q_\{(\d+)\}(?:\^\{\d+\})?|(?<![A-Za-z\\])([sc])_\{(\d+)\}(?:\^\{\d+\})?/g,
    (whole: string, rate?: string, torque?: string, position?: string, letter?: string, index?: string) => {
      if (letter !== undefined && index !== undefined) return trigonometric.has(`${letter}_{${index}}`) ? wrap(whole, index) : whole;
      return wrap(whole, rate ?? torque ?? position ?? '');
    },
  );
}
