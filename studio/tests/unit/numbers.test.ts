import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixed, powerOfTen, significant } from '../../src/numbers/format.ts';
import { parseValue } from '../../src/numbers/parse.ts';

test('typed values are numbers, fractions, multiples of pi and degrees', () => {
  const cases: [string, number][] = [
    ['0.45', 0.45], ['-0.35', -0.35], ['−0.35', -0.35], ['pi/4', Math.PI / 4], ['-pi', -Math.PI], ['2*pi/3', (2 * Math.PI) / 3], ['2pi', 2 * Math.PI], ['π/2', Math.PI / 2],
    ['45deg', Math.PI / 4], ['45 °', Math.PI / 4], ['2159/5000', 2159 / 5000], ['1e-3', 1e-3], ['.5', 0.5], ['120 mm', 0.12], ['1.5rad', 1.5],
  ];
  for (const [text, value] of cases) {
    const found = parseValue(text);
    assert.ok(found !== null && Math.abs(found - value) < 1e-15, `${text} gave ${found}`);
  }
});

test('in degrees a bare number is degrees, a multiple of pi is not', () => {
  assert.equal(parseValue('90', true), Math.PI / 2);
  assert.equal(parseValue('pi/2', true), Math.PI / 2);
});

test('what is no number is refused', () => {
  for (const text of ['', 'x', '1+', '1/0', 'pi pi', '1//2', '--1', '1 2']) assert.equal(parseValue(text), null, text);
});

test('numbers have a true minus and lose the sign of zero', () => {
  assert.equal(fixed(-0.25221, 4), '−0.2522');
  assert.equal(fixed(-1e-9, 3), '0.000');
  assert.equal(fixed(Number.NaN, 3), 'singular');
});

test('few digits, without zeros at the end, small numbers as powers of ten', () => {
  assert.equal(significant(9.80665), '9.81');
  assert.equal(significant(1970.4), '1970');
  assert.equal(significant(0.5), '0.5');
  assert.equal(significant(-2.3e-16, 1), '−2·10⁻¹⁶');
  assert.deepEqual(powerOfTen(4e-16, 1), ['4·10', '−16']);
});
