import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAddress, readCards, writeAddress } from '../../src/state/address.ts';
import type { State } from '../../src/state/store.ts';

test('a bare name means Values, a face follows the last colon', () => {
  const found = readCards('mass_matrix:formula,gravity,jacobian:tool,pose:tool:code').map(({ quantity, face }) => [quantity, face]);
  assert.deepEqual(found, [['mass_matrix', 'formula'], ['gravity', 'values'], ['jacobian:tool', 'values'], ['pose:tool', 'code']]);
});

test('what is written is read back, and the token is not in it', () => {
  const state = {
    robot: { robot: 'panda', payload: ['tool=1'], floating: true, gravity: [0, -9.81, 0] }, q: [0.45, -0.35, 0.1], cards: readCards('mass_matrix:formula,jacobian:tool'), task: 'reach', theme: 'dark', target: null, time: null, start: null,
  } as unknown as State;
  const text = writeAddress(state, [0.6, 0.3, 2.5]);
  assert.ok(!text.includes('token'));
  const back = readAddress(`?${text}&token=secret`);
  assert.deepEqual(back.robot, state.robot);
  assert.deepEqual(back.q, state.q);
  assert.deepEqual(back.cards?.map(({ quantity, face }) => `${quantity} ${face}`), ['mass_matrix formula', 'jacobian:tool values']);
  assert.equal(back.task, 'reach');
  assert.equal(back.theme, 'dark');
  assert.deepEqual(back.view, [0.6, 0.3, 2.5]);
});

test('nonsense in an address is ignored', () => {
  const back = readAddress('?robot=panda&q=1,x&task=dance&theme=blue');
  assert.equal(back.q, null);
  assert.equal(back.task, null);
  assert.equal(back.theme, null);
});
