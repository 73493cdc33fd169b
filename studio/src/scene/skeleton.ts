// The robot as a drawing: tapered capsules between joints, a band or a drum for each joint, in groups that move with the links.
//
// Everything is built once, in link coordinates; a new position only sets the matrices of the groups.
// A joint whose axis runs along its link is a band round the link, any other a drum on its axis.

import * as THREE from 'three';
import type { Link, Matrix4 } from '../engine/types.ts';
import type { Model } from '../state/model.ts';
import { jointColour, mix, token } from '../view/colours.ts';
import { addBall, addBox, addCapsule, addDrum, circle, dispose, mesh, type Look } from './solids.ts';

/** Where the label of a joint stands: on a cap, or beside the silhouette. */
export interface Anchor {
  joint: number;
  link: number;
  at: THREE.Vector3;
  axis: THREE.Vector3;
  /** Half the length of a drum, whose cap may carry the label; null for a band. */
  cap: number | null;
  radius: number;
}

const aligned = 0.9;

export class Skeleton {
  readonly root = new THREE.Group();
  /** One per link, then one for the ground. */
  readonly groups: THREE.Group[] = [];
  readonly anchors: Anchor[] = [];
  /** What a fixed robot stands on. */
  readonly pedestal = new THREE.Group();
  /** How far the ground lies below the robot's origin, so that joints at the origin do not sink into it. */
  readonly drop: number;
  private readonly bodies: THREE.MeshStandardMaterial[] = [];
  readonly edge: number;
  /** What was drawn for each link, without what others add to its group. */
  private readonly parts: THREE.Object3D[][];

  constructor(private readonly model: Model, readonly size: number, ghost = false) {
    const { links } = model.scene;
    this.edge = 0.002 * size;
    this.drop = this.sinking();
    for (let i = 0; i <= links.length; i += 1) {
      const group = new THREE.Group();
      group.matrixAutoUpdate = false;
      this.groups.push(group);
      this.root.add(group);
      this.bodies.push(new THREE.MeshStandardMaterial({ color: token('link'), roughness: 0.62, metalness: 0.02 }));
    }
    links.forEach((_, i) => this.addSegments(i));
    if (!ghost) this.addBase();
    if (!ghost) links.forEach((_, i) => this.addJoint(i));
    this.parts = this.groups.map((group) => [...group.children]);
  }

  /** Sets the poses, links × 4 × 4, row-major. */
  setPoses(poses: ArrayLike<number>): void {
    for (let i = 0; i < this.groups.length - 1; i += 1) {
      const o = 16 * i;
      const e = (k: number) => poses[o + k] as number;
      this.groups[i]?.matrix.set(e(0), e(1), e(2), e(3), e(4), e(5), e(6), e(7), e(8), e(9), e(10), e(11), e(12), e(13), e(14), e(15));
    }
  }

  /** Tints what the selected joint carries. */
  tint(link: number | null): void {
    const carried = link === null || (this.model.owner[link] ?? -1) < 0 ? new Set<number>() : outboard(this.model, link);
    const colour = link === null ? null : jointColour(this.model, this.model.owner[link] ?? -1).fill;
    this.bodies.forEach((material, i) => {
      material.color.set(carried.has(i) && colour ? mix(token('link'), colour, 0.45) : token('link'));
    });
  }

  /** Hides the drawing of links that are shown otherwise; with all of them the ground's part goes too. */
  hide(links: ReadonlySet<number>): void {
    this.parts.forEach((parts, i) => {
      const whole = i === this.parts.length - 1 && links.size > 0;
      for (const part of parts) part.visible = !(links.has(i) || whole);
    });
  }

  /** The material of a link's body, which is tinted with the selection. */
  material(link: number): THREE.Material {
    return this.bodies[link] as THREE.Material;
  }

  dispose(): void {
    dispose(this.root);
  }

  private look(link: number): Look {
    return { body: this.bodies[link] as THREE.Material, contour: new THREE.MeshBasicMaterial({ color: token('link-edge'), side: THREE.BackSide }), edge: this.edge };
  }

  private jointLook(joint: number): Look {
    return {
      body: new THREE.MeshStandardMaterial({ color: jointColour(this.model, joint).fill, roughness: 0.55 }),
      contour: new THREE.MeshBasicMaterial({ color: token('link-edge'), side: THREE.BackSide }),
      edge: this.edge,
    };
  }

  /** Radius of the drawing at a link: thick at the base, thin at the tip; thinner where a robot has many limbs. */
  private radius(depth: number): number {
    const longest = Math.max(1, ...this.model.depth) + 1;
    const [base, tip] = this.model.scene.limbs.length > 2 ? [0.028, 0.013] : this.model.scene.planar ? [0.066, 0.042] : [0.05, 0.026];
    return this.size * (base + (tip - base) * Math.min(1, Math.max(0, depth / longest)));
  }

  private addSegments(i: number): void {
    const group = this.groups[i] as THREE.Group;
    const depth = (this.model.depth[i] ?? 0) + 1;
    const start = point(this.model.scene.links[i]);
    const link = this.model.scene.links[i];
    const grounded = (this.model.parent[i] ?? -1) < 0 && link?.joint.kind === 'fixed' && anchor(link).length() < 0.012 * this.size && !this.model.scene.planar;
    for (const child of this.model.children[i] ?? []) {
      const end = anchor(this.model.scene.links[child]);
      if (end.distanceTo(start) > 0.012 * this.size) {
        // What stands on the ground begins inside of the pedestal, not below it.
        const from = grounded ? start.clone().addScaledVector(end.clone().sub(start).normalize(), Math.min(this.radius(depth), 0.6 * end.distanceTo(start))) : start;
        addCapsule(group, from, end, this.radius(depth), this.radius(depth + 1), this.look(i)).userData['link'] = i;
      }
    }
    if ((this.model.children[i] ?? []).length === 0) this.addTip(i);
  }

  /** Zero if the first joint stands above the ground; enough for a column if a joint that lies is at the origin. */
  private sinking(): number {
    if (this.model.scene.planar) return 0;
    const rise = new THREE.Vector3(...this.model.scene.gravity).negate().normalize();
    const r = this.radius(0);
    let drop = 0;
    const visit = (i: number): void => {
      const link = this.model.scene.links[i];
      const p = this.model.parent[i] ?? -1;
      if (!link || link.joint.kind === 'free' || anchor(link).distanceTo(p < 0 ? new THREE.Vector3() : point(this.model.scene.links[p])) >= 0.012 * this.size) return;
      const lies = link.joint.kind !== 'fixed' && link.joint.kind !== 'prismatic' && Math.abs(axisOf(link).transformDirection(matrix(link.joint.origin)).dot(rise)) < aligned;
      drop = Math.max(drop, lies ? 3 * r : link.joint.kind === 'fixed' ? 0 : 1.25 * r);
      this.model.children[i]?.forEach(visit);
    };
    this.model.parent.forEach((p, i) => {
      if (p < 0) visit(i);
    });
    return drop;
  }

  /** A last link that moves but leads nowhere: a stub along its axis, or towards its centre of mass. */
  private addTip(i: number): void {
    const link = this.model.scene.links[i];
    if (!link || link.joint.kind === 'fixed') {
      const look: Look = { body: new THREE.MeshStandardMaterial({ color: token('link-edge'), roughness: 0.6 }), contour: this.look(i).contour, edge: this.edge };
      if (link && (this.model.parent[i] ?? -1) >= 0) addBall(this.groups[i] as THREE.Group, point(link), 0.6 * this.radius((this.model.depth[i] ?? 0) + 1), look).userData['link'] = i;
      return;
    }
    const start = point(link);
    const com = new THREE.Vector3(...link.com).sub(start);
    const axis = axisOf(link);
    const far = com.length() > 0.03 * this.size ? com.multiplyScalar(Math.min(2, (0.3 * this.size) / com.length())) : axis.setLength(0.06 * this.size);
    const depth = (this.model.depth[i] ?? 0) + 1;
    addCapsule(this.groups[i] as THREE.Group, start, far.add(start), this.radius(depth), this.radius(depth + 1), this.look(i)).userData['link'] = i;
  }

  private addBase(): void {
    const ground = this.groups[this.groups.length - 1] as THREE.Group;
    const floating = this.model.scene.links.some((link, i) => (this.model.parent[i] ?? -1) < 0 && link.joint.kind === 'free');
    const look = this.look(this.model.scene.links.length);
    this.model.scene.links.forEach((link, i) => {
      if ((this.model.parent[i] ?? -1) >= 0 || link.joint.kind === 'free') return;
      const end = anchor(link);
      const r = this.radius(-0.5);
      // The rounded foot of the column stays inside the pedestal.
      const foot = Math.min(r, 0.6 * end.length());
      if (end.length() > 0.012 * this.size) addCapsule(ground, end.clone().setLength(foot), end, foot, this.radius(0.5), look);
    });
    if (floating || this.model.scene.planar) return;
    const g = new THREE.Vector3(...this.model.scene.gravity);
    const axis = g.length() > 0 ? g.clone().negate().normalize() : new THREE.Vector3(0, 0, 1);
    const r = this.radius(0);
    const foot: Look = { body: new THREE.MeshStandardMaterial({ color: mix(token('link'), token('link-edge'), 0.34), roughness: 0.7 }), contour: look.contour, edge: this.edge };
    if (this.drop > 2 * r) addCapsule(ground, axis.clone().multiplyScalar(r - this.drop), new THREE.Vector3(), r, r, look);
    const at = axis.clone().multiplyScalar(0.42 * r - this.drop);
    this.pedestal.matrixAutoUpdate = false;
    ground.add(this.pedestal);
    this.pedestal.add(
      mesh(new THREE.CylinderGeometry(1.5 * r, 1.8 * r, 0.84 * r, 64), foot.body, at, axis),
      mesh(new THREE.CylinderGeometry(1.5 * r + this.edge, 1.8 * r + this.edge, 0.84 * r + 2 * this.edge, 64), foot.contour, at, axis, false),
    );
  }

  private addJoint(i: number): void {
    const link = this.model.scene.links[i];
    if (!link || link.joint.kind === 'fixed' || link.joint.kind === 'free') return;
    const { joint } = link;
    const owner = this.model.owner[i] ?? -1;
    const axis = axisOf(link);
    const r = this.radius(this.model.depth[i] ?? 0);
    const look = this.jointLook(owner);
    const group = this.groups[i] as THREE.Group;
    const zero = point(link);
    if (joint.mimic) {
      const ring = new THREE.LineLoop(circle(), new THREE.LineDashedMaterial({ color: jointColour(this.model, owner).fill, dashSize: 0.2, gapSize: 0.15 }));
      ring.computeLineDistances();
      ring.scale.setScalar(1.3 * r);
      ring.position.copy(zero);
      ring.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), axis);
      group.add(ring);
      return;
    }
    if (joint.kind === 'prismatic') return this.addSleeve(i, axis, r, look);
    if (joint.kind === 'spherical') {
      addBall(group, zero, 1.3 * r, look).userData['link'] = i;
      return;
    }
    const band = this.bandPlace(i, axis);
    if (band) {
      const thick = 1.18 * band.radius;
      addDrum(band.group, band.at, band.along, thick, 0.95 * r, look).userData['link'] = i;
      if (joint.kind === 'helical') for (const shift of [-0.25, 0.25]) addDrum(band.group, band.at.clone().addScaledVector(band.along, shift * r), band.along, 1.12 * thick, 0.12 * r, look);
      this.anchors.push({ joint: owner, link: band.link, at: band.at, axis: band.along, cap: null, radius: thick });
      return;
    }
    // Joints at one point, as those of a hip, would hide each other: each further one is thinner and longer.
    const nested = this.before(i);
    const radius = 1.28 * r * 0.84 ** nested;
    const length = 2.6 * r * 1.2 ** nested;
    addDrum(group, zero, axis, radius, length, look).userData['link'] = i;
    const cap = new THREE.MeshBasicMaterial({ color: token('surface') });
    for (const side of [1, -1]) {
      group.add(mesh(new THREE.CylinderGeometry(0.6 * radius, 0.6 * radius, 0.004 * this.size, 40), cap, zero.clone().addScaledVector(axis, side * (length / 2 + 0.001 * this.size)), axis, false));
    }
    this.anchors.push({ joint: owner, link: i, at: zero, axis, cap: length / 2, radius });
  }

  private addSleeve(i: number, axis: THREE.Vector3, r: number, look: Look): void {
    const moving = this.model.moving[this.model.owner[i] ?? -1];
    const p = this.model.parent[i] ?? -1;
    const host = this.groups[p < 0 ? this.groups.length - 1 : p] as THREE.Group;
    const frame = matrix(this.model.scene.links[i]?.joint.origin);
    const [lower, upper] = [moving?.lower ?? 0, moving?.upper ?? 0];
    const rail = new THREE.Group();
    rail.applyMatrix4(frame);
    host.add(rail);
    addBox(rail, axis.clone().multiplyScalar((lower + upper) / 2), axis, 0.7 * r, Math.max(upper - lower, 0.05 * this.size), this.look(p < 0 ? this.groups.length - 1 : p));
    addBox(this.groups[i] as THREE.Group, new THREE.Vector3(), axis, 2.1 * r, 2.4 * r, look).userData['link'] = i;
    this.anchors.push({ joint: moving?.index ?? -1, link: i, at: new THREE.Vector3(), axis, cap: null, radius: 1.05 * r });
  }

  /** A band lies on the segment that leads to the joint, or on the one that leads away from it. */
  private bandPlace(i: number, axis: THREE.Vector3): { group: THREE.Group; link: number; at: THREE.Vector3; along: THREE.Vector3; radius: number } | null {
    const link = this.model.scene.links[i];
    if (!link) return null;
    const p = this.model.parent[i] ?? -1;
    const depth = this.model.depth[i] ?? 0;
    const from = p < 0 ? new THREE.Vector3() : point(this.model.scene.links[p]);
    const come = anchor(link).sub(from);
    const inParent = axis.clone().transformDirection(matrix(link.joint.origin));
    const rise = new THREE.Vector3(...this.model.scene.gravity).negate();
    if (p < 0 && come.length() < 0.012 * this.size && !this.model.scene.planar && Math.abs(rise.normalize().dot(inParent)) > aligned) {
      // A robot that turns on the ground itself: the band lies round its pedestal.
      const base = this.radius(0);
      const high = this.drop > 2 * base;
      return { group: this.groups[this.groups.length - 1] as THREE.Group, link: this.groups.length - 1, at: rise.multiplyScalar(high ? -0.62 * this.drop : 0.42 * base - this.drop), along: inParent, radius: (high ? 1.05 : 1.52) * base };
    }
    const long = 0.05 * this.size;
    if (come.length() > long && Math.abs(come.clone().normalize().dot(inParent)) > aligned) {
      const host = p < 0 ? this.groups.length - 1 : p;
      const blend = (a: number, b: number) => a + (b - a) * 0.55;
      const radius = p < 0 ? blend(this.radius(-0.5), this.radius(0.5)) : blend(this.radius(depth), this.radius(depth + 1));
      return { group: this.groups[host] as THREE.Group, link: host, at: come.multiplyScalar(0.55).add(from), along: inParent, radius };
    }
    for (const child of this.model.children[i] ?? []) {
      const start = point(link);
      const go = anchor(this.model.scene.links[child]).sub(start);
      if (go.length() > long && Math.abs(go.clone().normalize().dot(axis)) > aligned) {
        return { group: this.groups[i] as THREE.Group, link: i, at: go.multiplyScalar(0.42).add(start), along: axis, radius: this.radius(depth + 1) };
      }
    }
    if ((this.model.children[i] ?? []).length === 0 && new THREE.Vector3(...link.com).sub(point(link)).length() <= 0.03 * this.size) {
      return { group: this.groups[i] as THREE.Group, link: i, at: point(link).addScaledVector(axis, 0.03 * this.size), along: axis, radius: this.radius(depth + 1) };
    }
    return null;
  }

  /** How many drums stand at the same point before this one. */
  private before(i: number): number {
    let n = 0;
    let k = i;
    const start = (p: number): THREE.Vector3 => (p < 0 ? new THREE.Vector3() : point(this.model.scene.links[p]));
    while (k >= 0 && anchor(this.model.scene.links[k]).distanceTo(start(this.model.parent[k] ?? -1)) < 0.012 * this.size) {
      k = this.model.parent[k] ?? -1;
      if (k >= 0 && this.anchors.some((anchor) => anchor.link === k && anchor.cap !== null)) n += 1;
    }
    return n;
  }
}

export function outboard(m: Model, link: number): Set<number> {
  const found = new Set<number>();
  const visit = (i: number): void => {
    found.add(i);
    m.children[i]?.forEach(visit);
  };
  visit(link);
  return found;
}

/** Where the joint of a link is, in the link's own frame. */
export function point(link: Link | undefined): THREE.Vector3 {
  return new THREE.Vector3(...(link?.joint.point ?? [0, 0, 0]));
}

/** Where the joint of a link is, in its parent's frame: an axis stays where it is when the joint moves. */
export function anchor(link: Link | undefined): THREE.Vector3 {
  return point(link).applyMatrix4(matrix(link?.joint.origin));
}

export function axisOf(link: Link | undefined): THREE.Vector3 {
  return new THREE.Vector3(...(link?.joint.axis ?? [0, 0, 1])).normalize();
}

export function matrix(m: Matrix4 | undefined): THREE.Matrix4 {
  const made = new THREE.Matrix4();
  if (m) made.set(...(m.flat() as Parameters<THREE.Matrix4['set']>));
  return made;
}
