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

/** One line of points per link. `bent` is the link that bends and how far its end is off, in metres; null for the rigid arm. */
export function armLines(lengths: readonly number[], angles: readonly number[], bent: { link: number; mode: Mode; tip: number } | null): [number, number][][] {
  const lines: [number, number][][] = [];
  let [x, y, turn] = [0, 0, 0];
  lengths.forEach((length, i) => {
    turn += angles[i] ?? 0;
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const shape = bent?.link === i ? modeShape(bent.mode, length) : null;
    const scale = shape && bent ? bent.tip / bent.mode.phi_e : 0;
    const line: [number, number][] = [];
    for (let k = 0; k <= 40; k += 1) {
      const along = (length * k) / 40;
      const off = shape ? scale * shape.value(along) : 0;
      line.push([x + along * c - off * s, y + along * s + off * c]);
    }
    lines.push(line);
    [x, y] = line[40] as [number, number];
    if (shape) turn += Math.atan(scale * shape.slope(length));
  });
  return lines;
}
