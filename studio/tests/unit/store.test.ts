import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Store, type State } from '../../src/state/store.ts';

const empty: State = {
  robot: null, arm: null, armTask: 'modes', start: null, q: [0, 0], qd: [], qdd: [], cards: [], target: null, criterion: 'manipulability', scenario: { drives: 'none', duration: 1, step: 0.001 }, task: 'quantities', selected: null, hovered: null,
  shown: { tool: true, frames: 'off', com: false, inertia: false, ellipsoid: true, slice: false, shapes: true, ownColours: true }, edited: 'q', unit: 'rad', theme: 'light', time: null,
};

test('one drag is one step of undo', () => {
  const store = new Store(empty);
  for (const x of [0.1, 0.2, 0.3]) store.set({ q: [x, 0] }, 'joint 0');
  store.endStep();
  for (const x of [0.4, 0.5]) store.set({ q: [x, 0] }, 'joint 0');
  store.undo();
  assert.deepEqual(store.now.q, [0.3, 0]);
  store.undo();
  assert.deepEqual(store.now.q, [0, 0]);
  assert.equal(store.canUndo, false);
  store.redo();
  store.redo();
  assert.deepEqual(store.now.q, [0.5, 0]);
  assert.equal(store.canRedo, false);
});

test('theme and selection are not undone', () => {
  const store = new Store(empty);
  store.set({ q: [1, 0] });
  store.set({ theme: 'dark', selected: 'link1' });
  store.undo();
  assert.equal(store.now.theme, 'dark');
  assert.equal(store.now.selected, 'link1');
  assert.deepEqual(store.now.q, [0, 0]);
});

test('a change after undo takes the way forward away', () => {
  const store = new Store(empty);
  store.set({ q: [1, 0] });
  store.undo();
  store.set({ q: [2, 0] });
  assert.equal(store.canRedo, false);
});

test('two hundred steps are kept', () => {
  const store = new Store(empty);
  for (let k = 1; k <= 250; k += 1) store.set({ q: [k, 0] });
  let steps = 0;
  while (store.canUndo) {
    store.undo();
    steps += 1;
  }
  assert.equal(steps, 200);
  assert.deepEqual(store.now.q, [50, 0]);
});

test('listeners hear only of their fields', () => {
  const store = new Store(empty);
  let heard = 0;
  store.on(['q'], () => { heard += 1; });
  store.set({ theme: 'dark' });
  assert.equal(heard, 0);
  store.set({ q: [1, 1] });
  assert.equal(heard, 1);
});
