import assert from 'node:assert/strict';
import { test } from 'node:test';
import { magnitude, phases } from '../../src/flexible/response.ts';
import { armLines, modeBend, modeShape } from '../../src/flexible/shapes.ts';

// The first mode of the first link of the built-in arm, as `jourdain flexible modes two_link_flexible --details` prints it.
const mode = { beta: 1.1609917656206075, omega: 3.0140002303194344, frequency_hz: 0.47969303513544903, phi_e: 0.18588010473536287, dphi_e: 0.6571298251909411 };

test('a mode shape is clamped and has the constants that the command prints', () => {
  const shape = modeShape(mode, 0.5);
  assert.equal(shape.value(0), 0);
  assert.equal(Math.abs(shape.slope(0)), 0);
  assert.ok(Math.abs(shape.value(0.5) - mode.phi_e) < 1e-12);
  const [a, b] = [0.6664470079067354, -0.6803725665460079];
  const x = 0.3 * mode.beta;
  const expected = a * (Math.sin(x) - Math.sinh(x)) + b * (Math.cos(x) - Math.cosh(x));
  assert.ok(Math.abs(shape.value(0.3) - expected) < 1e-9);
});

test('the slope is the derivative of the shape', () => {
  const shape = modeShape(mode, 0.5);
  for (const x of [0.1, 0.25, 0.4]) assert.ok(Math.abs(shape.slope(x) - (shape.value(x + 1e-6) - shape.value(x - 1e-6)) / 2e-6) < 1e-8);
});

test('a rigid arm is straight lines, a bent link is off by what was asked', () => {
  const rigid = armLines([0.5, 0.4], [0, Math.PI / 2], []);
  const [x, y] = rigid[1]?.[40] ?? [0, 0];
  assert.ok(Math.hypot(x - 0.5, y - 0.4) < 1e-12);
  const bent = armLines([0.5, 0.4], [0, 0], [modeBend(mode, 0.5, 0.05)]);
  assert.ok(Math.abs((bent[0]?.[40]?.[1] ?? 0) - 0.05) < 1e-12);
});

test('an oscillator: magnitude 1/|ω0² − ω²|, phase falls by half a turn at the pole', () => {
  const a = [[0, 1], [-4, 0]];
  for (const omega of [0.5, 1, 3, 10]) assert.ok(Math.abs(magnitude(a, [0, 1], [1, 0], omega) - 1 / Math.abs(4 - omega * omega)) < 1e-12);
  const [before = 0, after = 0] = phases(a, [0, 1], [1, 0], [1, 3]);
  assert.ok(Math.abs(before) < 2 && Math.abs(after + 180) < 3);
});

test('two integrators are at −180, and a zero between two poles takes the phase back', () => {
  assert.ok(Math.abs((phases([[0, 1], [0, 0]], [0, 1], [1, 0], [1])[0] ?? 0) + 180) < 2);
  // Two oscillators side by side, at 1 and 3 rad/s: a zero lies between them.
  const a = [[0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1], [0, 0, -9, 0]];
  const omegas = Array.from({ length: 400 }, (_, k) => 0.3 * 1.01 ** k);
  const found = phases(a, [0, 1, 0, 1], [1, 0, 1, 0], omegas);
  const at = (omega: number): number => found[omegas.findIndex((x) => x > omega)] ?? 0;
  assert.ok(Math.abs(at(0.5)) < 4 && Math.abs(at(1.5) + 180) < 8 && Math.abs(at(2.7)) < 12 && Math.abs(at(6) + 180) < 8);
});
