import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCsv, smoothed } from '../../src/parameters/prediction.ts';

test('smoothing keeps a parabola but for the square of the deviation, with its derivatives', () => {
  const [dt, sigma] = [0.01, 0.03];
  const values = Array.from({ length: 200 }, (_, i) => 2 + 3 * (i * dt) + 4 * (i * dt) ** 2);
  const { value, rate, second } = smoothed(values, dt, sigma);
  const t = 100 * dt;
  assert.ok(Math.abs((value[100] ?? 0) - (2 + 3 * t + 4 * t * t + 4 * sigma ** 2)) < 1e-4);
  assert.ok(Math.abs((rate[100] ?? 0) - (3 + 8 * t)) < 1e-10);
  assert.ok(Math.abs((second[100] ?? 0) - 8) < 1e-8);
});

test('a table of numbers is read, anything else is not', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
  assert.deepEqual(readCsv(bytes('t,q1\n0,1\n1,2\n')), { columns: ['t', 'q1'], rows: [[0, 1], [1, 2]] });
  assert.equal(readCsv(bytes('PAR1')), null);
  assert.equal(readCsv(bytes('t,q1\n0\n')), null);
});
