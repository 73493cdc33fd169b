// The LaTeX that `derive` writes, taken apart: equations with their names, what each is made of, and the meanings of symbols.

export interface Equation {
  /** `M_{12}` and all that equals it. */
  names: string[];
  /** The right-hand side, line by line. */
  lines: string[];
}

export interface Meaning { symbol: string; value: string; text: string }

export interface Equations {
  /** Named parts that the elements are made of, in an order in which each needs only earlier ones. */
  parts: Equation[];
  elements: Equation[];
  meanings: Meaning[];
}

export function readEquations(source: string): Equations {
  const all: Equation[] = [];
  for (const block of source.matchAll(/\\begin\{align\*\}([\s\S]*?)\\end\{align\*\}/g)) {
    for (const line of (block[1] ?? '').split('\\\\\n')) {
      const text = line.trim();
      const cut = text.indexOf('={}&');
      if (cut >= 0) all.push({ names: text.slice(0, cut).split('=').map((name) => name.trim()).filter((name) => name !== ''), lines: [text.slice(cut + 4).trim()] });
      else all[all.length - 1]?.lines.push(text.replace(/^&\s*\\quad\s*(\{\})?\s*/, ''));
    }
  }
  const meanings: Meaning[] = [];
  for (const table of source.matchAll(/\\begin\{tabular\}\{lll\}([\s\S]*?)\\end\{tabular\}/g)) {
    for (const row of (table[1] ?? '').split('\\\\\n')) {
      const [symbol, value, text] = row.trim().split(' & ');
      if (symbol && value && text) meanings.push({ symbol: symbol.replace(/\$/g, ''), value: value.replace(/\$/g, ''), text: plain(text) });
    }
  }
  const isPart = (equation: Equation): boolean => equation.names.every((name) => /^[tsc]_\{\d+\}$/.test(name));
  return { parts: all.filter(isPart), elements: all.filter((equation) => !isPart(equation)), meanings };
}

const plain = (text: string): string => text.replace(/\\texttt\{([^}]*)\}/g, '$1').replace(/\\_/g, '_').replace(/\\\\$/, '').trim();

/** The indices in a name, counted from zero: `M_{12}` is [0, 1], `M_{10,3}` is [9, 2]. */
export function indices(name: string): number[] {
  const inside = /_\{([^}]*)\}$/.exec(name)?.[1] ?? '';
  const parts = inside.includes(',') ? inside.split(',') : inside.split('');
  return parts.map((part) => Number(part.trim()) - 1).filter((index) => Number.isFinite(index));
}

/** The equation of one element, found by its indices; a vector's second index is ignored. */
export function element(equations: Equations, row: number, column: number): Equation | null {
  return equations.elements.find((equation) => equation.names.some((name) => {
    const at = indices(name);
    return at[0] === row && (at.length < 2 || at[1] === column);
  })) ?? null;
}

/** The named parts that an equation needs, directly or through others, in order. */
export function neededParts(equations: Equations, equation: Equation): Equation[] {
  const byName = new Map(equations.parts.map((part) => [part.names[0] ?? '', part]));
  const needed = new Set<Equation>();
  const visit = (one: Equation): void => {
    for (const found of one.lines.join(' ').matchAll(/(?<![A-Za-z\\])[tsc]_\{\d+\}/g)) {
      const part = byName.get(found[0]);
      if (part && !needed.has(part)) {
        needed.add(part);
        visit(part);
      }
    }
  };
  visit(equation);
  return equations.parts.filter((part) => needed.has(part));
}

/** Names of parts that are a sine or a cosine of a joint. */
export function trigonometric(equations: Equations): Set<string> {
  return new Set(equations.parts.filter((part) => /^\\(sin|cos) q_\{\d+\}$/.test(part.lines.join(' '))).flatMap((part) => part.names));
}

/** Breaks a right-hand side at sums outside of brackets, so that no line is much wider than `width` characters. */
export function breakLines(lines: readonly string[], width: number): string[] {
  const terms = lines.flatMap((line) => splitTerms(line)).flatMap((term) => (visible(term) > width ? opened(term) : [term]));
  const broken: string[] = [];
  for (const term of terms) {
    const last = broken[broken.length - 1];
    if (last !== undefined && visible(last) + visible(term) <= width) broken[broken.length - 1] = `${last} ${term}`;
    else broken.push(term);
  }
  return broken;
}

/** A term that begins with a bracket too wide for a line: taken apart inside of it, the bracket then of a fixed size. */
function opened(term: string): string[] {
  const begin = /^[+-]?\s*\\left\(/.exec(term)?.[0];
  if (begin === undefined) return [term];
  let depth = 0;
  for (let i = begin.length - 6; i < term.length; i += 1) {
    if (term.startsWith('\\left', i)) depth += 1;
    if (!term.startsWith('\\right', i)) continue;
    depth -= 1;
    if (depth > 0) continue;
    const inside = splitTerms(term.slice(begin.length, i).trim());
    const [first = '', ...rest] = inside;
    if (rest.length === 0) return [term];
    return [`${begin.replace('\\left', '\\bigl')}${first}`, ...rest.slice(0, -1), `${rest[rest.length - 1] ?? ''}\\bigr${term.slice(i + 6)}`];
  }
  return [term];
}

/** Terms of a sum, each with its sign. */
export function splitTerms(line: string): string[] {
  const terms: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < line.length; i += 1) {
    if (line.startsWith('\\left', i)) depth += 1;
    else if (line.startsWith('\\right', i)) depth -= 1;
    else if (line[i] === '{') depth += 1;
    else if (line[i] === '}') depth -= 1;
    else if (depth === 0 && (line.startsWith(' + ', i) || line.startsWith(' - ', i))) {
      terms.push(line.slice(start, i).trim());
      start = i + 1;
    }
  }
  terms.push(line.slice(start).trim());
  return terms.filter((term) => term !== '');
}

/** Roughly how many letters wide a formula is set. */
function visible(tex: string): number {
  return tex.replace(/\\(?:left|right|mathit|mathrm|htmlClass|quad|,|d{1,4}ot)/g, '').replace(/\\frac\{([^}]*)\}\{([^}]*)\}/g, (_, a: string, b: string) => (a.length > b.length ? a : b))
    .replace(/[_^]\{([^}]*)\}/g, (_, inner: string) => 'x'.repeat(Math.ceil(inner.length * 0.6))).replace(/\\(?:sin|cos)/g, 'sin').replace(/\\[a-z]+/g, 'x').replace(/[{}\s]/g, '').length;
}

/** Equations as one aligned block. */
export function aligned(equations: readonly Equation[], width: number): string {
  const rows = equations.flatMap((equation) => {
    const [first = '0', ...rest] = breakLines(equation.lines, width);
    const left = equation.names.length > 4 ? `${equation.names.slice(0, 3).join(' = ')} = \\ldots = ${equation.names[equation.names.length - 1]}` : equation.names.join(' = ');
    // A row of equal elements would push all others to the right.
    return [equation.names.length > 2 ? `& ${left} = ${first}` : `${left} ={}& ${first}`, ...rest.map((line) => `& \\quad {} ${line}`)];
  });
  return `\\begin{aligned}${rows.join(' \\\\ ')}\\end{aligned}`;
}
