// Typed values: numbers, fractions, multiples of pi, degrees. `-pi/4`, `45deg`, `45°`, `2159/5000`, `1e-3`, `2*pi/3`.

/** The value in radians or metres, or null if the text is no number. `degrees` says what a bare number means. */
export function parseValue(text: string, degrees = false): number | null {
  let rest = text.trim().toLowerCase().replace(/−/g, '-').replace(/,/g, '.').replace(/π/g, 'pi').replace(/·/g, '*');
  let factor = degrees ? Math.PI / 180 : 1;
  const unit = /(deg|°|rad|mm|cm|m)$/.exec(rest);
  if (unit) {
    rest = rest.slice(0, -unit[0].length).trim();
    factor = { deg: Math.PI / 180, '°': Math.PI / 180, rad: 1, mm: 1e-3, cm: 1e-2, m: 1 }[unit[1] as string] ?? 1;
  } else if (rest.includes('pi')) {
    factor = 1;
  }
  const value = expression(rest);
  return value === null || !Number.isFinite(value) ? null : value * factor;
}

/** Products and quotients of numbers and pi; sums are not needed in a field of one number. */
function expression(text: string): number | null {
  const tokens = text.match(/[*/]|[+-]?\s*(?:\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)?\s*(?:pi)?/g)?.map((t) => t.replace(/\s/g, '')).filter((t) => t !== '');
  if (!tokens || tokens.length === 0 || tokens.join('') !== text.replace(/\s/g, '')) return null;
  let value = factorOf(tokens[0] as string);
  for (let i = 1; value !== null && i < tokens.length; i += 2) {
    const operator = tokens[i];
    const next = tokens[i + 1] === undefined ? null : factorOf(tokens[i + 1] as string);
    if (next === null || (operator !== '*' && operator !== '/')) return null;
    value = operator === '*' ? value * next : value / next;
  }
  return value;
}

function factorOf(token: string): number | null {
  const match = /^([+-]?)(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)?(pi)?$/.exec(token);
  if (!match || (match[2] === undefined && match[3] === undefined)) return null;
  return (match[1] === '-' ? -1 : 1) * (match[2] === undefined ? 1 : Number(match[2])) * (match[3] ? Math.PI : 1);
}
