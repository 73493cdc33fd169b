// What can be shown with the robot: frames, centres of mass, inertia ellipsoids, the range of the selected joint, gravity.

import * as THREE from 'three';
import type { Model, Moving } from '../state/model.ts';
import { jointColour, token } from '../view/colours.ts';
import { anchor, axisOf, point } from './skeleton.ts';
import { circle, mesh } from './solids.ts';

const flat = (colour: string, opacity = 1): THREE.MeshBasicMaterial => new THREE.MeshBasicMaterial({ color: colour, transparent: opacity < 1, opacity });

/** Axes x y z in muted red, green and blue. */
export function triad(length: number): THREE.Group {
  const group = new THREE.Group();
  const axes: [THREE.Vector3, 'axis-x' | 'axis-y' | 'axis-z'][] = [
    [new THREE.Vector3(1, 0, 0), 'axis-x'], [new THREE.Vector3(0, 1, 0), 'axis-y'], [new THREE.Vector3(0, 0, 1), 'axis-z'],
  ];
  for (const [along, name] of axes) {
    const material = flat(token(name));
    group.add(
      mesh(new THREE.CylinderGeometry(0.032 * length, 0.032 * length, length, 12), material, along.clone().multiplyScalar(length / 2), along, false),
      mesh(new THREE.ConeGeometry(0.09 * length, 0.25 * length, 20), material, along.clone().multiplyScalar(1.1 * length), along, false),
    );
  }
  return group;
}

/** A quartered disc that faces the camera. */
export function centreOfMass(radius: number): THREE.Sprite {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext('2d') as CanvasRenderingContext2D;
  pen.fillStyle = token('surface');
  pen.beginPath();
  pen.arc(32, 32, 29, 0, 2 * Math.PI);
  pen.fill();
  pen.fillStyle = token('ink');
  for (const start of [0, Math.PI]) {
    pen.beginPath();
    pen.moveTo(32, 32);
    pen.arc(32, 32, 29, start, start + Math.PI / 2);
    pen.fill();
  }
  pen.strokeStyle = token('ink');
  pen.lineWidth = 4;
  pen.beginPath();
  pen.arc(32, 32, 29, 0, 2 * Math.PI);
  pen.stroke();
  const sprite = new THREE.Sprite(new THREE.SpriteMaterial({ map: new THREE.CanvasTexture(canvas), depthTest: false }));
  sprite.scale.setScalar(2 * radius);
  sprite.renderOrder = 5;
  return sprite;
}

/** The ellipsoid of uniform density with the link's mass and moments; a dashed red box if no body has these. */
export function inertia(m: Model, link: number, size: number): THREE.Object3D | null {
  const found = m.scene.links[link];
  if (!found || found.mass <= 0) return null;
  const { values, vectors } = principal(found.inertia);
  const [a, b, c] = values as [number, number, number];
  const squares = [b + c - a, a + c - b, a + b - c].map((moment) => (2.5 * moment) / found.mass);
  const group = new THREE.Group();
  group.position.set(...found.com);
  const colour = jointColour(m, m.owner[link] ?? -1).fill;
  const tolerance = 1e-9 * Math.max(...values.map(Math.abs), 1e-12);
  if (squares.some((square) => square < -tolerance)) {
    const box = new THREE.LineSegments(new THREE.EdgesGeometry(new THREE.BoxGeometry(0.08 * size, 0.08 * size, 0.08 * size)), new THREE.LineDashedMaterial({ color: token('error'), dashSize: 0.008 * size, gapSize: 0.006 * size }));
    box.computeLineDistances();
    group.add(box);
    return group;
  }
  const radii = squares.map((square) => Math.max(Math.sqrt(Math.max(square, 0)), 0.004 * size));
  const turned = new THREE.Group();
  turned.matrixAutoUpdate = false;
  const axes = vectors.map((v, i) => new THREE.Vector3(...(v as [number, number, number])).multiplyScalar(radii[i] ?? 1)) as [THREE.Vector3, THREE.Vector3, THREE.Vector3];
  turned.matrix.makeBasis(...axes);
  turned.add(mesh(new THREE.SphereGeometry(1, 32, 20), Object.assign(flat(colour, 0.18), { depthWrite: false, side: THREE.DoubleSide }), new THREE.Vector3(), null, false), ...rings(colour, 0.7));
  group.add(turned);
  return group;
}

/** Three great circles of the unit sphere. */
export function rings(colour: string, opacity: number): THREE.Object3D[] {
  return [[0, 0], [Math.PI / 2, 0], [0, Math.PI / 2]].map(([x, y]) => {
    const line = new THREE.Line(circle(), new THREE.LineBasicMaterial({ color: colour, transparent: true, opacity }));
    line.rotation.set(x ?? 0, y ?? 0, 0);
    return line;
  });
}

/** Eigenvalues and eigenvectors of a symmetric 3 × 3 matrix, by Jacobi's rotations. */
export function principal(matrix: readonly (readonly number[])[]): { values: number[]; vectors: number[][] } {
  const a = matrix.map((row) => [...row]) as number[][];
  const v = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  const at = (m: number[][], i: number, j: number): number => m[i]?.[j] ?? 0;
  for (let sweep = 0; sweep < 30; sweep += 1) {
    for (const [p, q] of [[0, 1], [0, 2], [1, 2]] as const) {
      if (Math.abs(at(a, p, q)) < 1e-300) continue;
      const theta = (at(a, q, q) - at(a, p, p)) / (2 * at(a, p, q));
      const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.hypot(theta, 1));
      const c = 1 / Math.hypot(t, 1);
      const s = t * c;
      for (let k = 0; k < 3; k += 1) {
        const [x, y] = [at(a, k, p), at(a, k, q)];
        (a[k] as number[])[p] = c * x - s * y;
        (a[k] as number[])[q] = s * x + c * y;
      }
      for (let k = 0; k < 3; k += 1) {
        const [x, y] = [at(a, p, k), at(a, q, k)];
        (a[p] as number[])[k] = c * x - s * y;
        (a[q] as number[])[k] = s * x + c * y;
        const [u, w] = [at(v, k, p), at(v, k, q)];
        (v[k] as number[])[p] = c * u - s * w;
        (v[k] as number[])[q] = s * u + c * w;
      }
    }
  }
  return { values: [0, 1, 2].map((i) => at(a, i, i)), vectors: [0, 1, 2].map((i) => [at(v, 0, i), at(v, 1, i), at(v, 2, i)]) };
}

/** The arc from the lower to the upper limit of a joint, filled from zero to the value. Lives in the parent's group. */
export class RangeArc {
  readonly root = new THREE.Group();
  private static readonly segments = 180;
  private static readonly around = 8;
  private readonly filled: THREE.BufferGeometry;
  private readonly knob: THREE.Mesh;

  constructor(m: Model, private readonly joint: Moving, size: number) {
    const link = m.scene.links[joint.link];
    const colour = jointColour(m, joint.index).fill;
    if (link) {
      this.root.matrixAutoUpdate = false;
      this.root.matrix.set(...(link.joint.origin.flat() as Parameters<THREE.Matrix4['set']>));
    }
    const axis = axisOf(link);
    const centre = point(link);
    this.radius = 0.15 * size;
    this.centre = centre;
    this.x = perpendicular(axis, childDirection(m, joint.link));
    this.y = axis.clone().cross(this.x);
    const curve = new ArcCurve((t) => this.point(joint.lower + (joint.upper - joint.lower) * t));
    const { segments, around } = RangeArc;
    this.root.add(new THREE.Mesh(new THREE.TubeGeometry(curve, segments, 0.0024 * size, around), flat(colour, 0.35)));
    this.filled = new THREE.TubeGeometry(curve, segments, 0.0046 * size, around);
    this.root.add(new THREE.Mesh(this.filled, flat(colour)));
    this.knob = mesh(new THREE.SphereGeometry(0.011 * size, 20, 14), flat(colour), new THREE.Vector3(), null, false);
    this.root.add(this.knob);
    if (joint.limited) {
      for (const end of [joint.lower, joint.upper]) {
        const p = this.point(end);
        this.root.add(mesh(new THREE.CylinderGeometry(0.0032 * size, 0.0032 * size, 0.028 * size, 8), flat(colour), p, p.clone().sub(centre), false));
      }
    }
  }

  private readonly centre: THREE.Vector3;
  private readonly radius: number;
  private readonly x: THREE.Vector3;
  private readonly y: THREE.Vector3;

  set(value: number): void {
    const { segments, around } = RangeArc;
    const { lower, upper } = this.joint;
    const place = (v: number) => Math.round(segments * Math.min(1, Math.max(0, (v - lower) / (upper - lower))));
    const [a, b] = [place(0), place(value)].sort((x, y) => x - y) as [number, number];
    this.filled.setDrawRange(a * around * 6, (b - a) * around * 6);
    this.knob.position.copy(this.point(Math.min(upper, Math.max(lower, value))));
  }

  private point(angle: number): THREE.Vector3 {
    return this.centre.clone().addScaledVector(this.x, this.radius * Math.cos(angle)).addScaledVector(this.y, this.radius * Math.sin(angle));
  }
}

class ArcCurve extends THREE.Curve<THREE.Vector3> {
  constructor(private readonly f: (t: number) => THREE.Vector3) { super(); }
  override getPoint(t: number): THREE.Vector3 { return this.f(t); }
}

/** Where the link leads, seen from its joint, so that the knob of the arc lies over the link. */
function childDirection(m: Model, link: number): THREE.Vector3 {
  for (const child of m.children[link] ?? []) {
    const v = anchor(m.scene.links[child]).sub(point(m.scene.links[link]));
    if (v.length() > 1e-6) return v;
  }
  return new THREE.Vector3(...(m.scene.links[link]?.com ?? [1, 0, 0]));
}

function perpendicular(axis: THREE.Vector3, towards: THREE.Vector3): THREE.Vector3 {
  const x = towards.clone().addScaledVector(axis, -towards.dot(axis));
  if (x.length() > 1e-6) return x.normalize();
  const other = Math.abs(axis.x) < 0.9 ? new THREE.Vector3(1, 0, 0) : new THREE.Vector3(0, 1, 0);
  return other.addScaledVector(axis, -other.dot(axis)).normalize();
}
