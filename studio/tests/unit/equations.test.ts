import assert from 'node:assert/strict';
import { test } from 'node:test';
import { breakLines, element, indices, neededParts, readEquations, splitTerms, trigonometric } from '../../src/quantities/equations.ts';

const source = String.raw`% robot: r
\begin{align*}
s_{2} ={}& \sin q_{2} \\
t_{1} ={}& 2 \, s_{2} \\
t_{2} ={}& 3 \, m_{1} \\
M_{11} ={}& \left(m_{1} + m_{2}\right) \, L_{1}^{2} \\
& \quad {} + t_{1} \, \cos q_{2} \\
M_{12} = M_{21} ={}& t_{2} \\
M_{10,11} ={}& 0
\end{align*}

\begin{tabular}{lll}
$L_{1}$ & $0.5\,\mathrm{m}$ & from the frame of \texttt{link\_1}, along x \\
\end{tabular}
`;

test('equations, named parts and meanings are told apart', () => {
  const found = readEquations(source);
  assert.deepEqual(found.parts.map((part) => part.names[0]), ['s_{2}', 't_{1}', 't_{2}']);
  assert.deepEqual(found.elements.map((one) => one.names), [['M_{11}'], ['M_{12}', 'M_{21}'], ['M_{10,11}']]);
  assert.deepEqual(found.elements[0]?.lines, [String.raw`\left(m_{1} + m_{2}\right) \, L_{1}^{2}`, String.raw`+ t_{1} \, \cos q_{2}`]);
  assert.deepEqual(found.meanings, [{ symbol: 'L_{1}', value: String.raw`0.5\,\mathrm{m}`, text: 'from the frame of link_1, along x' }]);
});

test('an element is found by its indices, mirrored ones too', () => {
  const found = readEquations(source);
  assert.deepEqual(indices('M_{10,11}'), [9, 10]);
  assert.equal(element(found, 1, 0)?.names[0], 'M_{12}');
  assert.equal(element(found, 9, 10)?.names[0], 'M_{10,11}');
});

test('the parts of an element are those it needs, directly or not', () => {
  const found = readEquations(source);
  const first = element(found, 0, 0);
  assert.ok(first);
  assert.deepEqual(neededParts(found, first).map((part) => part.names[0]), ['s_{2}', 't_{1}']);
  assert.deepEqual([...trigonometric(found)], ['s_{2}']);
});

test('lines break between terms, never inside brackets', () => {
  const line = String.raw`\left(a + b\right) \, c - d + e_{1 + 2}`;
  assert.deepEqual(splitTerms(line), [String.raw`\left(a + b\right) \, c`, '- d', '+ e_{1 + 2}']);
  assert.deepEqual(breakLines(['a + b', '+ c'], 3), ['a + b', '+ c']);
});

test('a bracket that is too wide for a line is broken inside, one that fits is not', () => {
  const wide = String.raw`+ \left(a + b_{1} - \frac{1}{2} \, c\right) \, \cos q_{2}`;
  assert.deepEqual(breakLines([wide], 4), [String.raw`+ \bigl(a`, String.raw`+ b_{1}`, String.raw`- \frac{1}{2} \, c\bigr) \, \cos q_{2}`]);
  assert.deepEqual(breakLines([wide], 60), [wide]);
});
