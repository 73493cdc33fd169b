// Other postures of the robot as ghosts: faint, with a contour, never hiding the robot.

import * as THREE from 'three';
import type { Model } from '../state/model.ts';
import { token } from '../view/colours.ts';
import { Skeleton } from './skeleton.ts';

export const mostGhosts = 8;

export class Ghosts {
  readonly root = new THREE.Group();
  private made: Skeleton[] = [];

  /** Shows the robot at these poses, at most eight. */
  show(m: Model, size: number, poses: readonly ArrayLike<number>[], share = 0.12): void {
    this.clear();
    poses.slice(0, mostGhosts).forEach((one, k) => {
      const skeleton = new Skeleton(m, size, true);
      skeleton.setPoses(one);
      haunt(skeleton.root, share, 10 + 3 * k);
      this.root.add(skeleton.root);
      this.made.push(skeleton);
    });
  }

  clear(): void {
    for (const skeleton of this.made) skeleton.dispose();
    this.made = [];
  }
}

/** A pass that writes depth only comes first, so that the parts of one ghost do not show through each other. */
function haunt(root: THREE.Object3D, share: number, order: number): void {
  const depth = new THREE.MeshBasicMaterial({ colorWrite: false, transparent: true });
  const fill = new THREE.MeshBasicMaterial({ color: token('ghost'), transparent: true, opacity: share, depthWrite: false, depthFunc: THREE.LessEqualDepth });
  const contour = new THREE.MeshBasicMaterial({ color: token('ghost'), side: THREE.BackSide, transparent: true, opacity: 0.55 });
  const meshes: THREE.Mesh[] = [];
  root.traverse((object) => {
    if (object instanceof THREE.Mesh) meshes.push(object);
  });
  for (const mesh of meshes) {
    const solid = mesh.castShadow;
    mesh.castShadow = false;
    mesh.material = solid ? fill : contour;
    mesh.renderOrder = order + 1;
    if (!solid) continue;
    const first = new THREE.Mesh(mesh.geometry, depth);
    first.position.copy(mesh.position);
    first.quaternion.copy(mesh.quaternion);
    first.renderOrder = order;
    mesh.parent?.add(first);
  }
}
