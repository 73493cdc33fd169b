import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dot, nullDirection, norm, shortestStep } from '../../src/reach/linear.ts';
import { difference, fromRollPitchYaw, toRollPitchYaw, turned } from '../../src/reach/rotation.ts';
import { ticks } from '../../src/reach/curve.ts';

/** The same numbers every time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1103515245 + 12345) % 2147483648;
    return state / 1073741824 - 1;
  };
}

test('the null direction is a unit vector that no row sees', () => {
  const random = numbers(7);
  for (let trial = 0; trial < 50; trial += 1) {
    const rows = Array.from({ length: 6 }, () => Array.from({ length: 7 }, random));
    const v = nullDirection(rows, 7);
    assert.ok(v);
    assert.ok(Math.abs(norm(v) - 1) < 1e-13);
    for (const row of rows) assert.ok(Math.abs(dot(row, v)) < 1e-12);
  }
});

test('two directions left over are not one', () => {
  assert.equal(nullDirection([[1, 0, 0]], 3), null);
});

test('the shortest step moves as asked and has no part along the null direction', () => {
  const random = numbers(11);
  const rows = Array.from({ length: 6 }, () => Array.from({ length: 7 }, random));
  const e = Array.from({ length: 6 }, random);
  const step = shortestStep(rows, e);
  assert.ok(step);
  rows.forEach((row, i) => assert.ok(Math.abs(dot(row, step) - (e[i] ?? 0)) < 1e-10));
  assert.ok(Math.abs(dot(step, nullDirection(rows, 7) ?? [])) < 1e-10);
});

test('angles and matrices go back and forth', () => {
  for (const angles of [[3.1, 0.1, 0.3], [-2, 1.2, -3], [0, 0, 0]] as [number, number, number][]) {
    toRollPitchYaw(fromRollPitchYaw(...angles)).forEach((x, i) => assert.ok(Math.abs(x - (angles[i] ?? 0)) < 1e-12));
  }
});

test('the difference of two rotations is the turn between them', () => {
  const r = fromRollPitchYaw(0.4, -0.2, 1);
  const axis = [1, 2, 2].map((x) => x / 3);
  difference(r, turned(r, axis, 0.7)).forEach((x, i) => assert.ok(Math.abs(x - 0.7 * (axis[i] ?? 0)) < 1e-12));
});

test('ticks are round numbers inside the range', () => {
  assert.deepEqual(ticks(-3.9, 3.9, 6), [-2, 0, 2]);
  assert.deepEqual(ticks(0.23, 1.02, 4), [0.4, 0.6, 0.8, 1]);
});
