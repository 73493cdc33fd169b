// Flexible arms as they are drawn: mode shapes of clamped links, and the line of an arm that bends in one of them.

export interface Mode { beta: number; omega: number; frequency_hz: number; phi_e: number; dphi_e: number }

/** φ(x) = a (sin βx − sinh βx) + b (cos βx − cosh βx), the shape of a clamped link, from its value and slope at the end. */
export function modeShape(mode: Mode, length: number): { value(x: number): number; slope(x: number): number } {
  const { beta } = mode;
  const z = beta * length;
  const [s, c] = [Math.sin(z) - Math.sinh(z), Math.cos(z) - Math.cosh(z)];
  const [ds, dc] = [beta * (Math.cos(z) - Math.cosh(z)), -beta * (Math.sin(z) + Math.sinh(z))];
  const d = s * dc - c * ds;
  const a = (mode.phi_e * dc - c * mode.dphi_e) / d;
  const b = (s * mode.dphi_e - mode.phi_e * ds) / d;
  return {
    value: (x) => a * (Math.sin(beta * x) - Math.sinh(beta * x)) + b * (Math.cos(beta * x) - Math.cosh(beta * x)),
    slope: (x) => a * beta * (Math.cos(beta * x) - Math.cosh(beta * x)) - b * beta * (Math.sin(beta * x) + Math.sinh(beta * x)),
  };
}

/** How a link bends: off its straight line, and the slope there, along its length. */
export interface Bend { value(x: number): number; slope(x: number): number }

/** A mode whose end is off by so much, in metres. */
export function modeBend(mode: Mode, length: number, tip: number): Bend {
  const shape = modeShape(mode, length);
  return scaled(shape, tip / mode.phi_e);
}

export function scaled(bend: Bend, factor: number): Bend {
  return { value: (x) => factor * bend.value(x), slope: (x) => factor * bend.slope(x) };
}

export function together(bends: readonly Bend[]): Bend {
  return { value: (x) => bends.reduce((sum, bend) => sum + bend.value(x), 0), slope: (x) => bends.reduce((sum, bend) => sum + bend.slope(x), 0) };
}

/** One line of points per link; a link without a bend is straight. */
export function armLines(lengths: readonly number[], angles: readonly number[], bends: readonly (Bend | null)[]): [number, number][][] {
  const lines: [number, number][][] = [];
  let [x, y, turn] = [0, 0, 0];
  lengths.forEach((length, i) => {
    turn += angles[i] ?? 0;
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const bend = bends[i] ?? null;
    const line: [number, number][] = [];
    for (let k = 0; k <= 40; k += 1) {
      const along = (length * k) / 40;
      const off = bend ? bend.value(along) : 0;
      line.push([x + along * c - off * s, y + along * s + off * c]);
    }
    lines.push(line);
    [x, y] = line[40] as [number, number];
    if (bend) turn += Math.atan(bend.slope(length));
  });
  return lines;
}
