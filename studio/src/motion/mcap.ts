// A motion as an MCAP file: joint states and transforms, in JSON messages that Foxglove and Rerun read.
//
// Written without chunks and without a summary, which the format allows: readers scan such a file from the start.

import type { Model } from '../state/model.ts';
import type { Motion } from './samples.ts';

const magic = [0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a];

const time = { type: 'object', properties: { sec: { type: 'integer' }, nsec: { type: 'integer' } } };
const vector = (names: string): object => ({ type: 'object', properties: Object.fromEntries([...names].map((name) => [name, { type: 'number' }])) });
const jointState = {
  type: 'object',
  properties: { timestamp: time, joints: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' }, position: { type: 'number' }, velocity: { type: 'number' }, effort: { type: 'number' } } } } },
};
const transforms = {
  title: 'foxglove.FrameTransforms', type: 'object',
  properties: {
    transforms: {
      type: 'array',
      items: { title: 'foxglove.FrameTransform', type: 'object', properties: { timestamp: time, parent_frame_id: { type: 'string' }, child_frame_id: { type: 'string' }, translation: vector('xyz'), rotation: vector('xyzw') } },
    },
  },
};

class Bytes {
  private parts: Uint8Array[] = [];
  private readonly encoder = new TextEncoder();

  raw(bytes: ArrayLike<number>): this {
    this.parts.push(Uint8Array.from(bytes));
    return this;
  }

  number(value: number | bigint, size: 1 | 2 | 4 | 8): this {
    const bytes = new Uint8Array(size);
    let rest = BigInt(value);
    for (let i = 0; i < size; i += 1) {
      bytes[i] = Number(rest & 255n);
      rest >>= 8n;
    }
    this.parts.push(bytes);
    return this;
  }

  text(value: string): this {
    const bytes = this.encoder.encode(value);
    this.number(bytes.length, 4);
    this.parts.push(bytes);
    return this;
  }

  record(kind: number, content: Bytes): this {
    const bytes = content.joined();
    this.number(kind, 1).number(bytes.length, 8);
    this.parts.push(bytes);
    return this;
  }

  joined(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of this.parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}

/** `poses` gives those of all links at a position, links × 4 × 4, row-major. */
export function mcap(m: Model, motion: Motion, poses: (q: readonly number[]) => ArrayLike<number>): Uint8Array<ArrayBuffer> {
  const file = new Bytes().raw(magic).record(0x01, new Bytes().text('').text('jourdain studio'));
  const schemas: [number, string, object][] = [[1, 'jourdain.JointStates', jointState], [2, 'foxglove.FrameTransforms', transforms]];
  for (const [id, name, schema] of schemas) file.record(0x03, new Bytes().number(id, 2).text(name).text('jsonschema').text(JSON.stringify(schema)));
  for (const [id, topic] of [[1, '/joint_states'], [2, '/tf']] as const) file.record(0x04, new Bytes().number(id, 2).number(id, 2).text(topic).text('json').number(0, 4));
  const encoder = new TextEncoder();
  const efforts = m.moving.map((joint) => motion.column(`tau[${joint.name}]`));
  for (let i = 0; i < motion.count; i += 1) {
    const t = motion.t[i] ?? 0;
    const stamp = { sec: Math.floor(t), nsec: Math.round((t - Math.floor(t)) * 1e9) };
    const nanoseconds = BigInt(Math.round(t * 1e9));
    const [q, qd] = [motion.position(t), motion.velocity(t)];
    const joints = m.moving.map((joint, k) => ({ name: joint.name, position: q[joint.coordinate], velocity: qd[joint.velocity], effort: efforts[k]?.[i] ?? 0 }));
    const placed = poses(q);
    const frames = m.scene.links.map((link, k) => frame(link.name, placed, k, stamp));
    for (const [id, message] of [[1, { timestamp: stamp, joints }], [2, { transforms: frames }]] as const) {
      file.record(0x05, new Bytes().number(id, 2).number(i, 4).number(nanoseconds, 8).number(nanoseconds, 8).raw(encoder.encode(JSON.stringify(message))));
    }
  }
  file.record(0x0f, new Bytes().number(0, 4)).record(0x02, new Bytes().number(0, 8).number(0, 8).number(0, 4)).raw(magic);
  return file.joined();
}

/** A link's pose in the ground's frame. */
function frame(name: string, poses: ArrayLike<number>, link: number, timestamp: object): object {
  const e = (i: number, j: number): number => poses[16 * link + 4 * i + j] ?? 0;
  return { timestamp, parent_frame_id: 'base', child_frame_id: name, translation: { x: e(0, 3), y: e(1, 3), z: e(2, 3) }, rotation: quaternion(e) };
}

/** The largest of the four parts is found first, so that no small number is divided by. */
export function quaternion(e: (i: number, j: number) => number): { x: number; y: number; z: number; w: number } {
  const squares = [1 + e(0, 0) + e(1, 1) + e(2, 2), 1 + e(0, 0) - e(1, 1) - e(2, 2), 1 - e(0, 0) + e(1, 1) - e(2, 2), 1 - e(0, 0) - e(1, 1) + e(2, 2)];
  const largest = squares.indexOf(Math.max(...squares));
  const d = 2 * Math.sqrt(squares[largest] ?? 1);
  const [a, b, c] = [(e(2, 1) - e(1, 2)) / d, (e(0, 2) - e(2, 0)) / d, (e(1, 0) - e(0, 1)) / d];
  const [xy, xz, yz] = [(e(0, 1) + e(1, 0)) / d, (e(0, 2) + e(2, 0)) / d, (e(1, 2) + e(2, 1)) / d];
  if (largest === 0) return { w: d / 4, x: a, y: b, z: c };
  if (largest === 1) return { w: a, x: d / 4, y: xy, z: xz };
  if (largest === 2) return { w: b, x: xy, y: d / 4, z: yz };
  return { w: c, x: xz, y: yz, z: d / 4 };
}
