import assert from 'node:assert/strict';
import { test } from 'node:test';
import { symmetricEigenvalues } from '../../src/quantities/checks.ts';

test('eigenvalues of the second difference are 2 − 2 cos(kπ/(n+1))', () => {
  const n = 25;
  const matrix = Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => (i === j ? 2 : Math.abs(i - j) === 1 ? -1 : 0)));
  const found = symmetricEigenvalues(matrix).toSorted((a, b) => a - b);
  found.forEach((value, k) => assert.ok(Math.abs(value - (2 - 2 * Math.cos(((k + 1) * Math.PI) / (n + 1)))) < 1e-13));
});
