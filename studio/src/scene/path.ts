// The way of the tool through a motion: what is past solid, what is to come thin. Built once per motion; time moves the parts drawn.

import * as THREE from 'three';
import { token } from '../view/colours.ts';
import { dispose } from './solids.ts';

const around = 6;

export class Path {
  readonly root = new THREE.Group();
  private past: THREE.BufferGeometry | null = null;
  private segments = 0;

  show(points: readonly THREE.Vector3[], size: number): void {
    this.clear();
    if (points.length < 2) return;
    const curve = new THREE.CatmullRomCurve3([...points]);
    this.segments = Math.min(600, 2 * points.length);
    const tube = (radius: number, opacity: number): THREE.BufferGeometry => {
      const geometry = new THREE.TubeGeometry(curve, this.segments, radius, around);
      this.root.add(new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ color: token('ink'), transparent: true, opacity })));
      return geometry;
    };
    tube(0.0018 * size, 0.28);
    this.past = tube(0.0036 * size, 0.85);
    this.at(0);
  }

  /** Share of the motion that is past, 0 to 1. */
  at(share: number): void {
    this.past?.setDrawRange(0, Math.round(this.segments * share) * around * 6);
  }

  clear(): void {
    for (const child of [...this.root.children]) dispose(child);
    this.past = null;
  }
}
