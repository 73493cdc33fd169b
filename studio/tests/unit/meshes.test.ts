import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '../../src/scene/shapes.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test('a triangle of an STL file has its corners', () => {
  const found = parse('part.STL', bytes('solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 2 0\nendloop\nendfacet\nendsolid a\n'));
  assert.equal(found?.length, 1);
  assert.deepEqual(Array.from(found?.[0]?.geometry.getAttribute('position').array ?? []), [0, 0, 0, 1, 0, 0, 0, 2, 0]);
});

test('a square of an OBJ file becomes two triangles', () => {
  const found = parse('part.obj', bytes('v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n'));
  assert.equal(found?.[0]?.geometry.getAttribute('position').count, 6);
});

test('what is no mesh is none', () => {
  assert.equal(parse('part.txt', bytes('solid')), null);
});
