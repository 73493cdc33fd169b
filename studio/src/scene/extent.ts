// How large a robot is: the diagonal of the box round its joints, centres of mass and shapes with every joint at zero.
//
// Joints alone would not do: a pendulum has one joint, and a wheeled base has all of them in a plane.

import * as THREE from 'three';
import type { Shape } from '../engine/types.ts';
import type { Model } from '../state/model.ts';
import { matrix, point } from './skeleton.ts';

export function extent(m: Model): number {
  const box = new THREE.Box3();
  const poses: THREE.Matrix4[] = [];
  m.scene.links.forEach((link, i) => {
    const above = poses[m.parent[i] ?? -1] ?? new THREE.Matrix4();
    const pose = above.clone().multiply(matrix(link.joint.origin));
    poses.push(pose);
    box.expandByPoint(point(link).applyMatrix4(pose));
    if (link.mass > 0) box.expandByPoint(new THREE.Vector3(...link.com).applyMatrix4(pose));
    for (const shape of link.shapes ?? []) box.union(shapeBox(shape).applyMatrix4(pose));
  });
  const diagonal = box.isEmpty() ? 0 : box.getSize(new THREE.Vector3()).length();
  return Math.max(diagonal, m.scene.size) || 1;
}

/** The box round a shape, in the frame of its link. */
export function shapeBox(shape: Shape): THREE.Box3 {
  const half = halfEdges(shape);
  return new THREE.Box3(half.clone().negate(), half).applyMatrix4(matrix(shape.origin));
}

/** Half the edges of the box round a shape; a mesh is a point until it has been read. */
function halfEdges({ kind, size }: Shape): THREE.Vector3 {
  const [a = 0, b = 0, c = 0] = size;
  switch (kind) {
    case 'box': return new THREE.Vector3(a / 2, b / 2, c / 2);
    case 'ellipsoid': return new THREE.Vector3(a, b, c);
    case 'sphere': return new THREE.Vector3(a, a, a);
    case 'cylinder': return new THREE.Vector3(a, a, b / 2);
    case 'capsule': return new THREE.Vector3(a, a, a + b / 2);
    case 'mesh': return new THREE.Vector3();
  }
}
