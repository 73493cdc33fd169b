// Solids of the drawing, each with its contour: the same solid a little larger, of which only the back is seen.

import * as THREE from 'three';

export const up = new THREE.Vector3(0, 1, 0);

export interface Look {
  body: THREE.Material;
  contour: THREE.Material;
  /** How much larger the contour's solid is, m. */
  edge: number;
}

export function mesh(geometry: THREE.BufferGeometry, material: THREE.Material, at: THREE.Vector3, along: THREE.Vector3 | null, shadow = true): THREE.Mesh {
  const made = new THREE.Mesh(geometry, material);
  made.position.copy(at);
  if (along) made.quaternion.setFromUnitVectors(up, along.clone().normalize());
  made.castShadow = shadow;
  return made;
}

/** A capsule whose ends have different radii, along y, from −length/2 to length/2. */
export function taperedCapsule(first: number, last: number, length: number): THREE.BufferGeometry {
  const profile: THREE.Vector2[] = [];
  const steps = 10;
  for (let k = 0; k <= steps; k += 1) {
    const a = (-Math.PI / 2) * (1 - k / steps);
    profile.push(new THREE.Vector2(Math.max(1e-9, first * Math.cos(a)), -length / 2 + first * Math.sin(a)));
  }
  for (let k = 0; k <= steps; k += 1) {
    const a = (Math.PI / 2) * (k / steps);
    profile.push(new THREE.Vector2(Math.max(1e-9, last * Math.cos(a)), length / 2 + last * Math.sin(a)));
  }
  return new THREE.LatheGeometry(profile, 36);
}

/** A capsule from a to b with its contour. */
export function addCapsule(group: THREE.Object3D, a: THREE.Vector3, b: THREE.Vector3, first: number, last: number, look: Look): THREE.Mesh {
  const along = b.clone().sub(a);
  const middle = a.clone().add(b).multiplyScalar(0.5);
  const body = mesh(taperedCapsule(first, last, along.length()), look.body, middle, along);
  group.add(body, mesh(taperedCapsule(first + look.edge, last + look.edge, along.length()), look.contour, middle, along, false));
  return body;
}

/** A cylinder about `axis` with its contour. */
export function addDrum(group: THREE.Object3D, at: THREE.Vector3, axis: THREE.Vector3, radius: number, length: number, look: Look): THREE.Mesh {
  const body = mesh(new THREE.CylinderGeometry(radius, radius, length, 48), look.body, at, axis);
  group.add(body, mesh(new THREE.CylinderGeometry(radius + look.edge, radius + look.edge, length + 2 * look.edge, 48), look.contour, at, axis, false));
  return body;
}

export function addBox(group: THREE.Object3D, at: THREE.Vector3, along: THREE.Vector3, side: number, length: number, look: Look): THREE.Mesh {
  const body = mesh(new THREE.BoxGeometry(side, length, side), look.body, at, along);
  const e = 2 * look.edge;
  group.add(body, mesh(new THREE.BoxGeometry(side + e, length + e, side + e), look.contour, at, along, false));
  return body;
}

export function addBall(group: THREE.Object3D, at: THREE.Vector3, radius: number, look: Look): THREE.Mesh {
  const body = mesh(new THREE.SphereGeometry(radius, 36, 24), look.body, at, null);
  group.add(body, mesh(new THREE.SphereGeometry(radius + look.edge, 36, 24), look.contour, at, null, false));
  return body;
}

/** A circle as a thin line, about z. */
export function circle(): THREE.BufferGeometry {
  const points: THREE.Vector3[] = [];
  for (let k = 0; k <= 96; k += 1) points.push(new THREE.Vector3(Math.cos((k * Math.PI) / 48), Math.sin((k * Math.PI) / 48), 0));
  return new THREE.BufferGeometry().setFromPoints(points);
}

/** Gives back what the drawing holds on the graphics card. */
export function dispose(root: THREE.Object3D): void {
  root.traverse((object) => {
    const { geometry, material } = object as THREE.Mesh;
    geometry?.dispose();
    for (const one of Array.isArray(material) ? material : material ? [material] : []) one.dispose();
  });
  root.removeFromParent();
}
