import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quantityTitle } from '../../src/quantities/names.ts';

test('titles are words, whatever the suffix of the name', () => {
  const cases: [string, string][] = [
    ['mass_matrix', 'Mass matrix'], ['coriolis_matrix_dot', 'Rate of the Coriolis matrix'], ['mass_matrix_ddot', 'Second rate of the mass matrix'], ['coriolis_matrix_d3', 'Rate of order 3 of the Coriolis matrix'],
    ['gravity_dq', 'Gravity torques by position'], ['jacobian_dot_dq:tool', 'Rate of the Jacobian by position of tool'], ['jacobian:tool', 'Jacobian of tool'], ['inverse_dynamics_dqd', 'Inverse dynamics by velocity'],
  ];
  for (const [name, title] of cases) assert.equal(quantityTitle(name), title);
});
