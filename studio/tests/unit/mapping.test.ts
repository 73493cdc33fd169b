import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guess, renamed, unknownColumns } from '../../src/parameters/mapping.ts';
import { readCsv } from '../../src/parameters/prediction.ts';
import type { Model } from '../../src/state/model.ts';
import { limbName } from '../../src/view/joints.ts';
import { readAddress, writeAddress } from '../../src/state/address.ts';
import type { State } from '../../src/state/store.ts';
import { equationsOf } from '../../src/flexible/terms.ts';

const m = { moving: [{ name: 'shoulder', index: 0 }, { name: 'elbow', index: 1 }] } as unknown as Model;
const bytes = new TextEncoder().encode('time,elbow_position,shoulder_position,actual_effort_1,actual_effort_2\n0,1,2,3,4\n0.1,1,2,3,4\n');
const table = readCsv(bytes);

test('columns are guessed by the name of the joint, then by its number, and the log is renamed accordingly', () => {
  assert.ok(table);
  assert.deepEqual(unknownColumns(m, table), ['q[shoulder]', 'tau[shoulder]', 'q[elbow]', 'tau[elbow]']);
  assert.deepEqual([guess(m, table, 'q', 0), guess(m, table, 'q', 1), guess(m, table, 'tau', 0), guess(m, table, 'tau', 1)], [2, 1, 3, 4]);
  const text = new TextDecoder().decode(renamed(bytes, table, new Map([[0, 't'], [1, 'q_elbow'], [2, 'q_shoulder'], [3, 'tau_shoulder'], [4, 'tau_elbow']])));
  assert.equal(text.split('\n')[0], 't,q_elbow,q_shoulder,tau_shoulder,tau_elbow');
  assert.equal(text.split('\n')[1], '0,1,2,3,4');
  const again = readCsv(new TextEncoder().encode(text));
  assert.ok(again && unknownColumns(m, again).length === 0);
});

test('a limb is called by what its joints have in common', () => {
  assert.equal(limbName(['arm_left_1_joint', 'arm_left_2_joint', 'arm_left_7_joint']), 'arm_left');
  assert.equal(limbName(['hip', 'knee']), 'hip … knee');
  assert.equal(limbName(['head']), 'head');
});

test('a target and a moment of a motion are in the address', () => {
  const state = {
    robot: { robot: 'panda' }, arm: null, armTask: 'modes', q: [1, 2], start: [0.5, 0], cards: [], task: 'reach', theme: 'light', time: 0.34, scenario: { drives: 'pd-gravity', duration: 1.2, step: 0.001 },
    target: { link: 'a:b', task: 'pose', position: [0.4, 0.1, 0.5], rotation: [[1, 0, 0], [0, 0, -1], [0, 1, 0]] },
  } as unknown as State;
  const back = readAddress(`?${writeAddress(state, null)}`);
  assert.equal(back.target?.link, 'a:b');
  assert.deepEqual(back.target?.position, [0.4, 0.1, 0.5]);
  assert.ok(Math.abs((back.target?.rotation[1]?.[2] ?? 0) + 1) < 1e-12);
  assert.deepEqual(back.q, [0.5, 0]);
  assert.equal(back.time, 0.34);
  assert.deepEqual(back.scenario, state.scenario);
});

test('equations of a flexible arm are taken apart line by line', () => {
  const [first, second] = equationsOf('% B\n\\begin{align*}\nB_{11} &= \\left(a + b\\right) \\, c \\\\\nB_{12} = B_{21} &= d\n\\end{align*}');
  assert.deepEqual(first, { names: ['B_{11}'], lines: ['\\bigl(a + b\\bigr) \\, c'] });
  assert.deepEqual(second?.names, ['B_{12}', 'B_{21}']);
});
