import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mcap, quaternion } from '../../src/motion/mcap.ts';
import { limitEvents, Motion } from '../../src/motion/samples.ts';
import { model } from '../../src/state/model.ts';
import type { Scene } from '../../src/engine/types.ts';

const identity = [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]];
const scene: Scene = {
  name: 'pendulum', kind: 'robot', gravity: [0, 0, -9.81], coordinates: [{ joint: 'a', part: '' }], velocities: [{ joint: 'a', part: '' }], states: {}, findings: [], limbs: [['a']], neutral: [0], size: 1, planar: false, normal: null,
  links: [{ name: 'a', parent: 'base', joint: { name: 'a', kind: 'revolute', axis: [0, 1, 0], origin: identity, lower: -1, upper: 1, coordinate: 0 }, com: [0, 0, 0.5], mass: 1, inertia: [[0, 0, 0], [0, 0, 0], [0, 0, 0]] }],
};
const m = model(scene);
const motion = new Motion({ columns: ['t', 'q[a]', 'qd[a]'], rows: Float64Array.from([0, 0, 1, 0.5, 0.5, 3, 1, 2, 5]) }, m);

test('between samples a position is on a straight line, outside it stays', () => {
  assert.deepEqual(motion.position(0.25), [0.25]);
  assert.deepEqual(motion.velocity(0.75), [4]);
  assert.deepEqual(motion.position(7), [2]);
  assert.equal(motion.duration, 1);
});

test('the first sample out of the limits is an event', () => {
  assert.deepEqual(limitEvents(m, motion), [{ joint: 0, t: 1 }]);
});

test('an MCAP file has its magic at both ends and whole records between', () => {
  const bytes = mcap(m, motion, () => identity.flat());
  const magic = [0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a];
  assert.deepEqual([...bytes.subarray(0, 8)], magic);
  assert.deepEqual([...bytes.subarray(-8)], magic);
  const view = new DataView(bytes.buffer);
  const kinds: number[] = [];
  const messages: { log: number; topic: number; json: unknown }[] = [];
  let at = 8;
  while (at < bytes.length - 8) {
    const kind = bytes[at] ?? 0;
    const length = Number(view.getBigUint64(at + 1, true));
    kinds.push(kind);
    if (kind === 5) messages.push({ topic: view.getUint16(at + 9, true), log: Number(view.getBigUint64(at + 15, true)), json: JSON.parse(new TextDecoder().decode(bytes.subarray(at + 31, at + 9 + length))) });
    at += 9 + length;
  }
  assert.equal(at, bytes.length - 8);
  assert.deepEqual(kinds, [1, 3, 3, 4, 4, 5, 5, 5, 5, 5, 5, 15, 2]);
  assert.equal(messages[2]?.log, 500_000_000);
  assert.deepEqual((messages[2]?.json as { joints: unknown[] }).joints, [{ name: 'a', position: 0.5, velocity: 3, effort: 0 }]);
});

test('quaternions of half turns are exact', () => {
  const half = [[1, 0, 0], [0, -1, 0], [0, 0, -1]];
  assert.deepEqual(quaternion((i, j) => half[i]?.[j] ?? 0), { w: 0, x: 1, y: 0, z: 0 });
});
