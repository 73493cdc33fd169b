// Tokens as colours, for what style sheets cannot reach: WebGL, plots, and the steps of lightness of large robots.

import type { Model } from '../state/model.ts';

export type Token =
  | 'surface' | 'sunken' | 'line' | 'line-strong' | 'ink' | 'ink-2' | 'ink-3' | 'link' | 'link-edge' | 'grid' | 'ghost' | 'axis-x' | 'axis-y'
  | 'axis-z' | 'heat-pos' | 'heat-neg' | 'error' | 'band' | 'measured' | 'warn' | 'stage' | `joint-${number}` | `joint-${number}-ink`;

let cache = new Map<string, string>();

/** Forgets the colours of the former theme. */
export function themeChanged(): void {
  cache = new Map();
}

export function token(name: Token): string {
  let value = cache.get(name);
  if (value === undefined) {
    value = getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    cache.set(name, value);
  }
  return value;
}

export interface JointColour { fill: string; ink: string }

export function jointColour(m: Model, joint: number): JointColour {
  const found = m.hues[joint];
  if (!found) return { fill: token('line-strong'), ink: token('ink-3') };
  const dark = document.documentElement.dataset['theme'] === 'dark';
  const towards = found.step < 0 ? (dark ? '#000000' : '#000000') : '#ffffff';
  const amount = found.step === 0 ? 0 : found.step < 0 ? 0.24 : dark ? 0.3 : 0.28;
  const fill = mix(token(`joint-${found.hue + 1}`), towards, amount);
  // Text keeps its contrast: of the lighter steps only the drawing is lighter.
  const inkTowards = dark ? Math.max(0, found.step) * 0.3 : Math.max(0, -found.step) * 0.24;
  return { fill, ink: mix(token(`joint-${found.hue + 1}-ink`), towards, inkTowards) };
}

export function mix(a: string, b: string, share: number): string {
  const [x, y] = [channels(a), channels(b)];
  return `#${x.map((v, i) => Math.round(v + ((y[i] ?? 0) - v) * share).toString(16).padStart(2, '0')).join('')}`;
}

export function channels(hex: string): number[] {
  return [1, 3, 5].map((i) => Number.parseInt(hex.slice(i, i + 2), 16));
}

/** Writes `--j0`, `--j0-ink` … and the classes that equations use. */
export function publishJointColours(m: Model | null): void {
  let sheet = document.getElementById('joint-colours');
  if (!sheet) {
    sheet = document.createElement('style');
    sheet.id = 'joint-colours';
    document.head.append(sheet);
  }
  const rules: string[] = [];
  const variables: string[] = [];
  m?.moving.forEach((joint) => {
    const { fill, ink } = jointColour(m, joint.index);
    variables.push(`--j${joint.index}:${fill};--j${joint.index}-ink:${ink}`);
    rules.push(
      `.qc${joint.index}{color:var(--j${joint.index}-ink)}`,
      `[data-hot="${joint.index}"] .qc${joint.index}{background:color-mix(in srgb,var(--j${joint.index}) 20%,transparent);border-radius:4px;box-shadow:0 0 0 2px color-mix(in srgb,var(--j${joint.index}) 20%,transparent)}`,
    );
  });
  sheet.textContent = `:root{${variables.join(';')}}\n${rules.join('\n')}`;
}

/** The inline style that gives an element the colour of a joint. */
export function jointStyle(joint: number): string {
  return joint < 0 ? '--c:var(--line-strong);--ci:var(--ink-3)' : `--c:var(--j${joint});--ci:var(--j${joint}-ink)`;
}
