// The target's handle: three arrows along the axes of the ground, a ring about the tool's axis, a ball for the plane of the picture.
//
// Shift snaps to 10 mm and 5°, Alt moves ten times finer. Its twin for keyboards is the row of fields.

import * as THREE from 'three';
import type { Target } from '../state/store.ts';
import { turned } from '../reach/rotation.ts';
import { token } from '../view/colours.ts';
import { dispose, mesh } from './solids.ts';
import type { Stage } from './stage.ts';

type Part = { kind: 'axis'; axis: THREE.Vector3 } | { kind: 'ring' } | { kind: 'ball' };

export class Gizmo {
  private readonly root = new THREE.Group();
  private ring: THREE.Object3D | null = null;
  private target: Target | null = null;
  private hollow = false;
  private readonly handles: THREE.Object3D[] = [];

  constructor(private readonly stage: Stage, private readonly moved: (target: Target) => void, private readonly ended: () => void) {
    stage.world.add(this.root);
    stage.rebuilt.push(() => this.build());
    // Before the camera hears of it.
    stage.canvas.addEventListener('pointerdown', (event) => this.press(event), { capture: true });
  }

  show(target: Target | null, reachable: boolean): void {
    this.target = target;
    if (reachable === this.hollow) {
      this.hollow = !reachable;
      this.build();
    }
    this.root.visible = target !== null;
    if (target) {
      if (this.handles.length === 0) this.build();
      this.root.position.set(...target.position);
      const r = target.rotation;
      this.ring?.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(r[0]?.[2] ?? 0, r[1]?.[2] ?? 0, r[2]?.[2] ?? 1));
      if (this.ring) this.ring.visible = target.task !== 'position';
    }
    this.stage.redraw();
  }

  private build(): void {
    for (const child of [...this.root.children]) dispose(child);
    this.handles.length = 0;
    const s = this.stage.size;
    const look = (colour: string, opacity = 1): THREE.Material => new THREE.MeshBasicMaterial({ color: colour, depthTest: false, transparent: true, opacity, wireframe: this.hollow && opacity === 1 });
    const touch = new THREE.MeshBasicMaterial({ visible: false });
    const add = (object: THREE.Object3D, part: Part | null, host: THREE.Object3D = this.root): void => {
      object.renderOrder = 100;
      host.add(object);
      if (part) {
        object.userData['part'] = part;
        this.handles.push(object);
      }
    };
    const length = 0.16 * s;
    const axes: [THREE.Vector3, 'axis-x' | 'axis-y' | 'axis-z'][] = [[new THREE.Vector3(1, 0, 0), 'axis-x'], [new THREE.Vector3(0, 1, 0), 'axis-y'], [new THREE.Vector3(0, 0, 1), 'axis-z']];
    for (const [axis, name] of axes) {
      const material = look(token(name));
      add(mesh(new THREE.CylinderGeometry(0.004 * s, 0.004 * s, length, 12), material, axis.clone().multiplyScalar(length / 2), axis, false), null);
      add(mesh(new THREE.ConeGeometry(0.015 * s, 0.04 * s, 24), material, axis.clone().multiplyScalar(length + 0.015 * s), axis, false), null);
      add(mesh(new THREE.CylinderGeometry(0.02 * s, 0.02 * s, length, 8), touch, axis.clone().multiplyScalar(0.64 * length), axis, false), { kind: 'axis', axis });
    }
    this.ring = new THREE.Group();
    this.root.add(this.ring);
    add(new THREE.Mesh(new THREE.TorusGeometry(0.095 * s, 0.0024 * s, 12, 96), look(token('ink'), 0.85)), null, this.ring);
    add(new THREE.Mesh(new THREE.TorusGeometry(0.095 * s, 0.014 * s, 8, 48), touch), { kind: 'ring' }, this.ring);
    add(mesh(new THREE.SphereGeometry(0.012 * s, 20, 14), look(token('ink')), new THREE.Vector3(), null, false), null);
    add(mesh(new THREE.SphereGeometry(0.026 * s, 12, 8), touch, new THREE.Vector3(), null, false), { kind: 'ball' });
  }

  private press(event: PointerEvent): void {
    if (!this.target || event.button !== 0) return;
    const hit = this.stage.ray(event.offsetX, event.offsetY).intersectObjects(this.handles, false)[0];
    const part = hit?.object.userData['part'] as Part | undefined;
    if (!part) return;
    event.stopImmediatePropagation();
    event.preventDefault();
    const { canvas } = this.stage;
    canvas.setPointerCapture(event.pointerId);
    const begin = this.target;
    const first = this.place(event, part, begin);
    const move = (to: PointerEvent): void => {
      const now = this.place(to, part, begin);
      if (first && now) this.moved(this.drag(part, begin, first, now, to));
    };
    canvas.addEventListener('pointermove', move);
    canvas.addEventListener('pointerup', () => {
      canvas.removeEventListener('pointermove', move);
      this.ended();
    }, { once: true });
  }

  /** Where the pointer is: on the plane that holds the axis and faces the camera, on the ring's plane, or on the picture's. */
  private place(event: PointerEvent, part: Part, target: Target): THREE.Vector3 | null {
    const toWorld = this.stage.world.matrixWorld;
    const origin = new THREE.Vector3(...target.position).applyMatrix4(toWorld);
    const view = this.stage.camera.camera.getWorldDirection(new THREE.Vector3());
    let normal = view;
    if (part.kind === 'axis') {
      const axis = part.axis.clone().transformDirection(toWorld);
      normal = view.clone().addScaledVector(axis, -view.dot(axis)).normalize();
    } else if (part.kind === 'ring') {
      const r = target.rotation;
      normal = new THREE.Vector3(r[0]?.[2] ?? 0, r[1]?.[2] ?? 0, r[2]?.[2] ?? 1).transformDirection(toWorld);
    }
    const found = this.stage.ray(event.offsetX, event.offsetY).ray.intersectPlane(new THREE.Plane().setFromNormalAndCoplanarPoint(normal, origin), new THREE.Vector3());
    return found ? found.applyMatrix4(toWorld.clone().invert()) : null;
  }

  private drag(part: Part, begin: Target, first: THREE.Vector3, now: THREE.Vector3, keys: { shiftKey: boolean; altKey: boolean }): Target {
    const centre = new THREE.Vector3(...begin.position);
    const fine = keys.altKey ? 0.1 : 1;
    if (part.kind === 'ring') {
      const r = begin.rotation;
      const axis = new THREE.Vector3(r[0]?.[2] ?? 0, r[1]?.[2] ?? 0, r[2]?.[2] ?? 1);
      const [a, b] = [first.clone().sub(centre), now.clone().sub(centre)];
      let angle = Math.atan2(a.clone().cross(b).dot(axis), a.dot(b)) * fine;
      if (keys.shiftKey) angle = Math.round(angle / (Math.PI / 36)) * (Math.PI / 36);
      return { ...begin, rotation: turned(begin.rotation, axis.toArray(), angle) };
    }
    const way = now.clone().sub(first).multiplyScalar(fine);
    const moved = centre.add(part.kind === 'axis' ? part.axis.clone().multiplyScalar(way.dot(part.axis)) : way);
    const snapped = moved.toArray().map((x) => (keys.shiftKey ? Math.round(x * 100) / 100 : x)) as [number, number, number];
    return { ...begin, position: snapped };
  }
}
