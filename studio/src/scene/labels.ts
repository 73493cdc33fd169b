// Labels of joints and points over the picture: elements that are moved by transforms, never laid out anew.

import * as THREE from 'three';
import type { Model } from '../state/model.ts';
import { h } from '../view/dom.ts';
import { jointStyle } from '../view/colours.ts';
import { symbol } from '../view/symbols.ts';
import type { Anchor } from './skeleton.ts';

interface Label { anchor: Anchor; element: HTMLElement; cap: boolean | null }

const facing = 0.45;
/** From so many joints on only the one that is pointed at has its label: all of them would hide the robot. */
const crowd = 16;

export class Labels {
  readonly element = h('div', { class: 'labels', 'aria-hidden': 'true' });
  /** False where caps are not drawn: all labels then stand beside the robot. */
  caps = true;
  private labels: Label[] = [];
  private crowded = false;
  private readonly a = new THREE.Vector3();
  private readonly b = new THREE.Vector3();
  private readonly d = new THREE.Vector3();

  /** Makes the labels of a robot. */
  show(m: Model | null, anchors: readonly Anchor[]): void {
    this.element.replaceChildren();
    this.labels = [];
    if (!m) return;
    this.crowded = m.moving.length > crowd;
    for (const anchor of anchors) {
      const joint = m.moving[anchor.joint];
      if (!joint) continue;
      const element = h('div', { class: 'label', style: jointStyle(joint.index) }, h('span', {}, symbol('q', joint.coordinate + 1), this.crowded ? h('span', { class: 'sm' }, ` ${joint.name}`) : null));
      if (this.crowded) element.classList.add('hidden');
      this.element.append(element);
      this.labels.push({ anchor, element, cap: null });
    }
  }

  /** Names the joint that is pointed at, where not all are named. */
  hot(joint: number | null): void {
    if (!this.crowded) return;
    for (const { anchor, element } of this.labels) element.classList.toggle('hidden', anchor.joint !== joint);
  }

  /** Puts every label where its anchor is now. `groups` are the links' groups, `width` and `height` the stage's in pixels. */
  place(groups: readonly THREE.Object3D[], camera: THREE.Camera, width: number, height: number): void {
    camera.getWorldDirection(this.d);
    const [middle] = this.centre(groups, camera, width, height);
    for (const label of this.labels) {
      const group = groups[label.anchor.link];
      if (!group) continue;
      const { at, axis, cap, radius } = label.anchor;
      this.a.copy(at).applyMatrix4(group.matrixWorld);
      this.b.copy(axis).transformDirection(group.matrixWorld);
      const towards = -this.b.dot(this.d);
      const onCap = this.caps && !this.crowded && cap !== null && Math.abs(towards) > facing;
      if (onCap) this.a.addScaledVector(this.b, Math.sign(towards) * (cap ?? 0));
      // One radius to the side, in pixels, tells how large the joint is on the screen.
      const scale = pixels(this.a, camera, height);
      const [x, y] = project(this.a, camera, width, height);
      let [dx, dy] = [0, 0];
      if (!onCap) {
        const [x2, y2] = project(this.a.clone().addScaledVector(this.b, radius), camera, width, height);
        const length = Math.hypot(x2 - x, y2 - y) || 1;
        [dx, dy] = [-(y2 - y) / length, (x2 - x) / length];
        // Away from the rest of the robot; above a link that lies.
        if (Math.abs(dy) > 0.75 ? dy > 0 : dx > 0 === x < middle) [dx, dy] = [-dx, -dy];
        const away = (cap !== null ? Math.max(radius, cap) : radius) * scale + 15;
        dx *= away;
        dy *= away;
      }
      if (label.cap !== onCap) {
        label.cap = onCap;
        label.element.classList.toggle('cap', onCap);
      }
      label.element.style.transform = `translate(${(x + dx).toFixed(1)}px, ${(y + dy).toFixed(1)}px)`;
    }
  }

  /** The middle of all anchors on the screen. */
  private centre(groups: readonly THREE.Object3D[], camera: THREE.Camera, width: number, height: number): [number, number] {
    let [x, y] = [0, 0];
    for (const { anchor } of this.labels) {
      const group = groups[anchor.link];
      if (!group) continue;
      const [px, py] = project(this.a.copy(anchor.at).applyMatrix4(group.matrixWorld), camera, width, height);
      x += px / this.labels.length;
      y += py / this.labels.length;
    }
    return [x, y];
  }
}

export function project(p: THREE.Vector3, camera: THREE.Camera, width: number, height: number): [number, number] {
  const v = p.clone().project(camera);
  return [((v.x + 1) / 2) * width, ((1 - v.y) / 2) * height];
}

/** Pixels per metre at a point. */
export function pixels(p: THREE.Vector3, camera: THREE.Camera, height: number): number {
  if (camera instanceof THREE.PerspectiveCamera) {
    return height / (2 * Math.tan((camera.fov * Math.PI) / 360) * Math.max(1e-6, p.distanceTo(camera.position)));
  }
  const flat = camera as THREE.OrthographicCamera;
  return (height * flat.zoom) / (flat.top - flat.bottom);
}
