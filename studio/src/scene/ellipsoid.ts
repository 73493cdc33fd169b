// The manipulability ellipsoid at a link: where the tool can go fast, from the linear rows of its Jacobian.

import * as THREE from 'three';
import { token } from '../view/colours.ts';
import { principal, rings } from './marks.ts';
import { mesh } from './solids.ts';

export class Ellipsoid {
  readonly root = new THREE.Group();
  private readonly turned = new THREE.Group();

  constructor() {
    this.root.add(this.turned);
    this.root.visible = false;
    this.turned.matrixAutoUpdate = false;
    this.recolour();
  }

  recolour(): void {
    this.turned.clear();
    const body = new THREE.MeshBasicMaterial({ color: token('ink'), transparent: true, opacity: 0.07, depthWrite: false });
    this.turned.add(mesh(new THREE.SphereGeometry(1, 40, 26), body, new THREE.Vector3(), null, false), ...rings(token('ink-2'), 0.5));
  }

  /** `jacobian` is 6 × n, linear rows first; its singular values are drawn at this scale. */
  set(position: readonly [number, number, number], jacobian: ArrayLike<number>, n: number, scale: number): void {
    const row = (i: number): number[] => Array.from({ length: n }, (_, j) => jacobian[i * n + j] ?? 0);
    const rows = [row(0), row(1), row(2)];
    const product = rows.map((a) => rows.map((b) => a.reduce((sum, x, k) => sum + x * (b[k] ?? 0), 0)));
    const { values, vectors } = principal(product);
    const axes = vectors.map((v, i) => new THREE.Vector3(...(v as [number, number, number])).multiplyScalar(scale * Math.max(1e-4, Math.sqrt(Math.max(0, values[i] ?? 0))))) as [THREE.Vector3, THREE.Vector3, THREE.Vector3];
    this.turned.matrix.makeBasis(...axes).setPosition(...position);
    this.turned.matrixWorldNeedsUpdate = true;
  }
}
