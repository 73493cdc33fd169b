// The reachable slice: which places of a vertical plane through the base and the target a link can come to, by many random postures.
//
// Where the first joint turns about the vertical, a posture is turned into the plane instead of being thrown away; elsewhere only
// postures that happen to end near the plane count.

import * as THREE from 'three';
import type { Plan } from '../engine/types.ts';
import type { Model } from '../state/model.ts';
import { token } from '../view/colours.ts';

const cells = 64;
export const postures = 24000;
const perFrame = 2400;

/** A plane with two directions; u lies, v rises. */
export interface Plane { origin: [number, number, number]; u: [number, number, number]; v: [number, number, number]; half: number }

type Triple = readonly [number, number, number];
const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Triple, b: Triple): [number, number, number] => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const unit = (a: Triple): [number, number, number] => {
  const length = Math.hypot(...a) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
};

export function planeThrough(m: Model, target: Triple, reach: number): Plane {
  const g: Triple = m.scene.gravity;
  const normal = m.scene.planar && m.scene.normal ? unit(m.scene.normal) : null;
  let v = Math.hypot(...g) > 0 ? unit([-g[0], -g[1], -g[2]]) : ([0, 0, 1] as [number, number, number]);
  if (normal && Math.abs(dot(v, normal)) > 0.9) v = Math.abs(normal[1]) < 0.9 ? [0, 1, 0] : [1, 0, 0];
  const rise = dot(target, v);
  const flat: [number, number, number] = [target[0] - rise * v[0], target[1] - rise * v[1], target[2] - rise * v[2]];
  const across = Math.hypot(...flat) > 1e-6 ? unit(flat) : unit(cross(v, Math.abs(v[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0]));
  return { origin: [0, 0, 0], u: normal ? unit(cross(v, normal)) : across, v, half: reach };
}

/** The places, as a square of cells, that were reached. */
export class Slice {
  readonly reached = new Uint8Array(cells * cells);
  private readonly turns: boolean;
  private readonly lower: number;
  private readonly upper: number;
  private readonly first: number;

  constructor(private readonly m: Model, readonly plane: Plane) {
    const joint = m.moving[0];
    const link = joint ? m.scene.links[joint.link] : undefined;
    const axis = link?.joint.axis;
    const o = link?.joint.origin;
    const world: Triple | null = axis && o ? [0, 1, 2].map((i) => (o[i]?.[0] ?? 0) * axis[0] + (o[i]?.[1] ?? 0) * axis[1] + (o[i]?.[2] ?? 0) * axis[2]) as [number, number, number] : null;
    const at: Triple = [o?.[0]?.[3] ?? 0, o?.[1]?.[3] ?? 0, o?.[2]?.[3] ?? 0];
    const aside = Math.hypot(...cross(at, plane.v));
    this.turns = joint !== undefined && !joint.prismatic && link?.parent !== undefined && (m.parent[joint.link] ?? -1) < 0 && world !== null && dot(world, plane.v) > 0.999 && aside < 1e-6 && !m.scene.planar;
    this.first = joint?.coordinate ?? 0;
    this.lower = joint?.limited ? joint.lower : -Math.PI;
    this.upper = joint?.limited ? joint.upper : Math.PI;
  }

  /** A posture whose link is here. */
  add(p: Triple, q: readonly number[]): void {
    const { u, v, half } = this.plane;
    const w = cross(u, v);
    const [x, y, z] = [dot(p, u), dot(p, w), dot(p, v)];
    if (!this.turns) {
      if (Math.abs(y) <= half / cells || this.m.scene.planar) this.mark(x, z);
      return;
    }
    const radius = Math.hypot(x, y);
    // About v, from u towards v × u = −w.
    const angle = Math.atan2(-y, x);
    for (const side of [0, Math.PI]) {
      const turned = (q[this.first] ?? 0) + side - angle;
      const into = [turned - 2 * Math.PI, turned, turned + 2 * Math.PI].some((one) => one >= this.lower && one <= this.upper);
      if (into) this.mark(side === 0 ? radius : -radius, z);
    }
  }

  private mark(x: number, z: number): void {
    const { half } = this.plane;
    const [i, j] = [Math.floor(((x + half) / (2 * half)) * cells), Math.floor(((z + half) / (2 * half)) * cells)];
    if (i >= 0 && i < cells && j >= 0 && j < cells) this.reached[j * cells + i] = 1;
  }
}

export class SliceView {
  readonly root = new THREE.Group();
  private run = 0;
  private readonly pixels = new Uint8Array(4 * cells * cells);
  private readonly texture = new THREE.DataTexture(this.pixels, cells, cells);
  private readonly sheet = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), new THREE.MeshBasicMaterial({ map: this.texture, transparent: true, side: THREE.DoubleSide, depthWrite: false, toneMapped: false }));

  constructor(private readonly changed: () => void) {
    this.texture.magFilter = THREE.LinearFilter;
    this.texture.colorSpace = THREE.SRGBColorSpace;
    this.sheet.matrixAutoUpdate = false;
    this.root.add(this.sheet);
    this.root.visible = false;
  }

  stop(): void {
    this.run += 1;
    this.root.visible = false;
  }

  /** Fills in over some frames, so that the page stays quick; `plan` gives poses and is dropped at the end. */
  show(m: Model, plan: Plan, link: number, target: Triple, reach: number, done: (share: number) => void): void {
    const slice = new Slice(m, planeThrough(m, target, reach));
    const run = (this.run += 1);
    const { u, v, half, origin } = slice.plane;
    const scaled = (a: Triple): THREE.Vector3 => new THREE.Vector3(...a).multiplyScalar(half);
    this.sheet.matrix.makeBasis(scaled(u), scaled(v), scaled(cross(u, v))).setPosition(...origin);
    this.sheet.matrixWorldNeedsUpdate = true;
    this.root.visible = true;
    const q = [...m.home];
    let count = 0;
    const frame = (): void => {
      if (run !== this.run) return plan.drop();
      for (let k = 0; k < perFrame; k += 1) {
        for (const joint of m.moving) q[joint.coordinate] = joint.lower + (joint.upper - joint.lower) * Math.random();
        plan.input('q')?.set(q);
        plan.run();
        const poses = plan.output('poses');
        slice.add([poses[16 * link + 3] ?? 0, poses[16 * link + 7] ?? 0, poses[16 * link + 11] ?? 0], q);
      }
      count += perFrame;
      this.paint(slice);
      this.changed();
      if (count < postures) requestAnimationFrame(frame);
      else {
        plan.drop();
        done(slice.reached.reduce((a, b) => a + b, 0) / slice.reached.length);
      }
    };
    requestAnimationFrame(frame);
  }

  private paint(slice: Slice): void {
    const ink = new THREE.Color(token('ink-2'));
    const rgb = [ink.r, ink.g, ink.b].map((c) => Math.round(255 * (c <= 0.0031308 ? 12.92 * c : 1.055 * c ** (1 / 2.4) - 0.055)));
    for (let k = 0; k < slice.reached.length; k += 1) {
      this.pixels.set([rgb[0] ?? 0, rgb[1] ?? 0, rgb[2] ?? 0, slice.reached[k] ? 48 : 0], 4 * k);
    }
    this.texture.needsUpdate = true;
  }
}
