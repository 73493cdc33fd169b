// Numbers as people read them: true minus, tabular decimals, powers of ten as superscripts.

const minus = (text: string): string => text.replace(/-/g, '−');

/** Fixed decimals with a true minus; what rounds to zero loses its sign. */
export function fixed(x: number, decimals: number): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? 'singular' : x > 0 ? '∞' : '−∞';
  const text = x.toFixed(decimals);
  return Number(text) === 0 ? (0).toFixed(decimals) : minus(text);
}

/** Up to `digits` significant digits, without trailing zeros; small and large numbers as powers of ten. */
export function significant(x: number, digits = 3): string {
  if (!Number.isFinite(x)) return fixed(x, 0);
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size < 1e-3 || size >= 1e6) {
    const [mantissa = '', exponent = ''] = x.toExponential(Math.max(0, digits - 2)).split('e');
    return minus(`${mantissa.replace(/\.?0+$/, '')}·10`) + superscript(Number(exponent));
  }
  const text = x.toPrecision(digits);
  return minus(String(Number(text)));
}

/** The same, its power of ten as mantissa and exponent for a superscript element; the exponent is null if there is none. */
export function powerOfTen(x: number, digits = 3): [string, string | null] {
  const text = significant(x, digits);
  const cut = text.indexOf('·10');
  if (cut < 0) return [text, null];
  const exponent = [...text.slice(cut + 3)].map((c) => (c === '⁻' ? '−' : String(digitsAbove.indexOf(c)))).join('');
  return [text.slice(0, cut + 3), exponent];
}

/** A number as it is typed back: all digits that are needed to restore it. */
export const exact = (x: number): string => minus(String(x));

const digitsAbove = '⁰¹²³⁴⁵⁶⁷⁸⁹';

function superscript(n: number): string {
  return String(n).replace(/-/, '⁻').replace(/\d/g, (d) => digitsAbove[Number(d)] ?? d);
}

/** `1 warning`, `2 warnings`. */
export const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`;
