// How quantities are called on cards: a title in words and a symbol. Names, shapes, units and meanings come from the engine.

const symbols: Record<string, string> = {
  mass_matrix: 'M(q)', mass_matrix_dot: '\\dot M', mass_matrix_ddot: '\\ddot M', mass_matrix_dq: '\\partial M/\\partial q', mass_matrix_inverse: 'M^{-1}',
  coriolis_matrix: 'C(q,\\dot q)', coriolis_matrix_dot: '\\dot C', coriolis_christoffel: 'C_{\\Gamma}', christoffel_symbols: '\\Gamma_{ijk}',
  gravity: 'g(q)', gravity_dot: '\\dot g', gravity_dq: '\\partial g/\\partial q', bias: 'C\\dot q+g',
  inverse_dynamics: '\\tau', inverse_dynamics_dot: '\\dot\\tau', inverse_dynamics_dq: '\\partial\\tau/\\partial q', inverse_dynamics_dqd: '\\partial\\tau/\\partial\\dot q',
  forward_dynamics: '\\ddot q', regressor: 'Y', base_regressor: 'Y_{\\beta}', com: 'p_{\\mathrm c}', com_jacobian: 'J_{\\mathrm c}',
  kinetic_energy: 'T', potential_energy: 'U', centroidal_momentum: 'h', centroidal_matrix: 'A',
};
const linkSymbols: Record<string, string> = {
  pose: 'T', jacobian: 'J', body_jacobian: 'J^{\\mathrm b}', jacobian_dot: '\\dot J', jacobian_ddot: '\\ddot J', jacobian_dq: '\\partial J/\\partial q',
  twist: 'v', acceleration: 'a', manipulability: 'w',
};
const titles: Record<string, string> = {
  gravity: 'Gravity torques', com: 'Centre of mass', bias: 'Bias torques', com_jacobian: 'Jacobian of the centre of mass', mass_matrix_inverse: 'Inverse of the mass matrix',
  coriolis_christoffel: 'Coriolis matrix, Christoffel', body_jacobian: 'Body Jacobian', slotine_li_regressor: 'Slotine–Li regressor', elastic_motor_position: 'Motor position', elastic_motor_torque: 'Motor torque',
};

/** What a suffix of a name says of the quantity before it. */
const suffixes: [RegExp, (title: string, order: string) => string][] = [
  [/_ddot$/, (title) => `Second rate of the ${small(title)}`],
  [/_dot$/, (title) => `Rate of the ${small(title)}`],
  [/_d(\d+)$/, (title, order) => `Rate of order ${order} of the ${small(title)}`],
  [/_dqd$/, (title) => `${title} by velocity`],
  [/_dq$/, (title) => `${title} by position`],
  [/_dpi$/, (title) => `${title} by parameters`],
];

/** Inside a sentence; names of people keep their capital. */
const small = (title: string): string => (/^(?:Jacobian|Coriolis|Christoffel|Slotine)/.test(title) ? title : title.charAt(0).toLowerCase() + title.slice(1));

/** LaTeX of the quantity's symbol, or null if it has none. */
export function quantitySymbol(name: string): string | null {
  const [kind = '', link] = name.split(':');
  if (link === undefined) return symbols[kind] ?? null;
  const letter = linkSymbols[kind];
  return letter ? `${letter}_{\\mathrm{${link.replace(/_/g, '\\_')}}}` : null;
}

export function quantityTitle(name: string): string {
  const [kind = '', link] = name.split(':');
  const title = plainTitle(kind);
  return link === undefined ? title : `${title} of ${link}`;
}

function plainTitle(kind: string): string {
  const known = titles[kind];
  if (known) return known;
  for (const [suffix, say] of suffixes) {
    const found = suffix.exec(kind);
    if (found) return say(plainTitle(kind.slice(0, found.index)), found[1] ?? '');
  }
  return capital(kind.replace(/_/g, ' ')).replace(/jacobian/, 'Jacobian');
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
