// The picture: renderer, light, ground, robot and what is shown with it. Drawn only when something has changed.

import * as THREE from 'three';
import { beforeFrame } from '../state/frame.ts';
import type { Model } from '../state/model.ts';
import type { Session } from '../state/session.ts';
import type { Store } from '../state/store.ts';
import { h } from '../view/dom.ts';
import { token } from '../view/colours.ts';
import { Camera } from './camera.ts';
import { extent, shapeBox } from './extent.ts';
import { Ground, spacing } from './ground.ts';
import { Labels } from './labels.ts';
import { centreOfMass, inertia, RangeArc, triad } from './marks.ts';
import { Skeleton } from './skeleton.ts';
import { hasShapes, Shapes, type MeshSource } from './shapes.ts';
import { dispose } from './solids.ts';

export class Stage {
  readonly canvas = h('canvas', { class: 'scene', role: 'img', tabindex: 0, 'aria-label': 'no robot' });
  readonly labels = new Labels();
  readonly camera: Camera;
  /** Robot coordinates; its parent has y against gravity. */
  readonly world = new THREE.Group();
  skeleton: Skeleton | null = null;
  /** Where meshes come from. */
  meshes: MeshSource = async () => null;
  private shapes: Shapes | null = null;
  size = 1;
  /** Called after the robot's drawing was built anew, so that others can add to it. */
  readonly rebuilt: (() => void)[] = [];
  /** Called before each picture. */
  readonly beforeDraw: (() => void)[] = [];
  private readonly renderer: THREE.WebGLRenderer;
  private readonly scene = new THREE.Scene();
  private readonly light = new THREE.DirectionalLight('#ffffff', 1.7);
  private readonly sky = new THREE.HemisphereLight('#ffffff', '#c8d2dc', 2.1);
  private ground: Ground | null = null;
  private arc: RangeArc | null = null;
  private marks: THREE.Object3D[] = [];
  private width = 1;
  private height = 1;
  private drawn: Model | null = null;
  /** The robot that the camera was pointed at. */
  private aimed: Model | null = null;

  constructor(private readonly session: Session, private readonly store: Store) {
    this.renderer = new THREE.WebGLRenderer({ canvas: this.canvas, antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.camera = new Camera(this.canvas, () => this.redraw());
    this.scene.add(this.sky, this.light, this.light.target, this.world);
    this.world.matrixAutoUpdate = false;
    this.light.castShadow = true;
    this.light.shadow.mapSize.set(1024, 1024);
    this.light.shadow.radius = 6;
    new ResizeObserver((entries) => {
      const box = entries[0]?.contentRect;
      if (box) this.resize(box.width, box.height);
    }).observe(this.canvas);
    session.onRobot(() => this.rebuild(true));
    session.onNumbers(() => this.pose());
    store.on(['theme'], () => this.rebuild(false));
    store.on(['hovered', 'selected'], () => {
      this.labels.hot(store.now.hovered ?? this.selectedJoint()?.index ?? null);
      this.redraw();
    });
    store.on(['selected', 'shown'], () => {
      this.shapes?.set(store.now.shown.shapes, store.now.shown.ownColours);
      this.mark();
    });
    this.canvas.addEventListener('pointerdown', (event) => this.press(event));
  }

  redraw(): void {
    beforeFrame('draw', this.draw);
  }

  /** The link under a point of the canvas, from objects that say which link they are. */
  pick(x: number, y: number): number | null {
    if (!this.skeleton) return null;
    const ray = this.ray(x, y);
    const hit = ray.intersectObjects(this.skeleton.root.children, true).find((found) => found.object.userData['link'] !== undefined);
    return (hit?.object.userData['link'] as number | undefined) ?? null;
  }

  ray(x: number, y: number): THREE.Raycaster {
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2((2 * x) / this.width - 1, 1 - (2 * y) / this.height), this.camera.camera);
    return ray;
  }

  /** The picture as it is, as the address of a PNG. */
  picture(): string {
    this.draw();
    return this.canvas.toDataURL('image/png');
  }

  get gridStep(): number { return spacing(this.size); }

  private press(event: PointerEvent): void {
    if (event.button !== 0) return;
    const { offsetX, offsetY } = event;
    const released = (up: PointerEvent): void => {
      if (Math.hypot(up.offsetX - offsetX, up.offsetY - offsetY) > 4) return;
      const link = this.pick(offsetX, offsetY);
      this.store.set({ selected: link === null ? null : (this.session.model?.scene.links[link]?.name ?? null) });
    };
    this.canvas.addEventListener('pointerup', released, { once: true });
  }

  private resize(width: number, height: number): void {
    if (width < 2 || height < 2) return;
    this.width = width;
    this.height = height;
    this.renderer.setSize(width, height, false);
    this.camera.resize(width, height);
    // Without waiting for a frame: a canvas that was resized is empty until it is drawn.
    this.draw();
  }

  private rebuild(frame: boolean): void {
    this.shapes?.stop();
    this.shapes = null;
    this.skeleton?.dispose();
    this.skeleton = null;
    for (const mark of this.marks) dispose(mark);
    this.marks = [];
    if (this.ground) dispose(this.ground.root);
    this.ground = null;
    const m = this.session.model;
    this.drawn = m;
    if (m && m.scene.kind === 'robot') {
      this.size = extent(m);
      this.skeleton = new Skeleton(m, this.size);
      this.world.add(this.skeleton.root);
      const { shown } = this.store.now;
      if (hasShapes(m)) this.shapes = new Shapes(m, this.skeleton, { source: this.meshes, ownColours: shown.ownColours, visible: shown.shapes, changed: () => this.redraw() });
      this.orient(m);
      this.ground = new Ground(this.size);
      this.placeGround(m);
      this.illuminate();
      this.labels.show(m, this.skeleton.anchors);
      if (frame && !(this.session.wasEdit && sameLinks(this.aimed, m))) this.aimed = null;
      this.pose();
      this.mark();
    } else {
      this.labels.show(null, []);
    }
    for (const act of this.rebuilt) act();
    this.redraw();
  }

  /** y of the picture is up: against gravity, or z where there is none; the plane of a planar robot faces the camera. */
  private orient(m: Model): void {
    const g = new THREE.Vector3(...m.scene.gravity);
    const rise = g.length() > 0 ? g.clone().negate().normalize() : new THREE.Vector3(0, 0, 1);
    if (m.scene.planar && m.scene.normal) this.world.matrix.copy(facing(new THREE.Vector3(...m.scene.normal), g.negate()));
    else if (rise.z > 0.999) this.world.matrix.makeRotationX(-Math.PI / 2);
    else this.world.matrix.makeRotationFromQuaternion(new THREE.Quaternion().setFromUnitVectors(rise, new THREE.Vector3(0, 1, 0)));
    this.world.updateMatrixWorld(true);
  }

  private placeGround(m: Model): void {
    const { root } = this.ground as Ground;
    this.scene.add(root);
    if (m.scene.planar) {
      root.position.set(0, 0, -0.08 * this.size);
      return;
    }
    root.rotation.x = -Math.PI / 2;
    root.position.y = -(this.skeleton?.drop ?? 0);
  }

  /** What the robot fills now, in coordinates of the picture. */
  private bounds(m: Model): THREE.Box3 {
    const box = new THREE.Box3();
    const { poses } = this.session;
    const point = new THREE.Vector3();
    m.scene.links.forEach((link, i) => {
      const at = (k: number): number => poses?.[16 * i + k] ?? 0;
      const pose = new THREE.Matrix4().set(at(0), at(1), at(2), at(3), at(4), at(5), at(6), at(7), at(8), at(9), at(10), at(11), 0, 0, 0, 1).premultiply(this.world.matrix);
      box.expandByPoint(point.set(0, 0, 0).applyMatrix4(pose));
      if (link.mass > 0) box.expandByPoint(point.set(...link.com).applyMatrix4(pose));
      for (const shape of link.shapes ?? []) box.union(shapeBox(shape).applyMatrix4(pose));
    });
    if (!floats(m)) box.expandByPoint(point.set(0, 0, 0));
    return box;
  }

  /** Looks at the robot where it stands when it is first shown. */
  private aim(m: Model): void {
    const box = this.bounds(m);
    const hangs = box.min.y < -0.2 * this.size && !m.scene.planar;
    // A robot without a base, or one that is held at its middle, has the ground under what is lowest.
    if ((floats(m) || hangs) && this.ground) this.ground.root.position.y = box.min.y - 0.03 * this.size;
    if (this.skeleton) this.skeleton.pedestal.visible = !hangs;
    const size = Math.max(0.9 * this.size, box.getSize(new THREE.Vector3()).length());
    const centre = box.getCenter(new THREE.Vector3());
    // A planar arm swings about its base: there is room for it on the other side too.
    if (m.scene.planar) this.camera.frame(centre.multiplyScalar(0.5), 1.5 * size, 'front');
    else this.camera.frame(centre, size, 'perspective');
    this.aimed = m;
  }

  private illuminate(): void {
    const dark = this.store.now.theme === 'dark';
    const s = this.size;
    this.sky.groundColor.set(dark ? '#3a4450' : '#c8d2dc');
    this.sky.intensity = dark ? 1.5 : 2.1;
    this.light.intensity = dark ? 1.6 : 1.7;
    const planar = this.drawn?.scene.planar ?? false;
    this.light.position.set(1.1 * s, planar ? 1.3 * s : 2.4 * s, planar ? 2.6 * s : 1.7 * s);
    const { shadow } = this.light;
    Object.assign(shadow.camera, { left: -1.5 * s, right: 1.5 * s, top: 1.5 * s, bottom: -1.5 * s, near: 0.1 * s, far: 8 * s });
    shadow.camera.updateProjectionMatrix();
    shadow.bias = -0.0006;
    shadow.normalBias = 0.004 * s;
  }

  private pose(): void {
    const { poses } = this.session;
    if (!this.skeleton || !poses || this.drawn !== this.session.model) return;
    this.skeleton.setPoses(poses);
    if (this.drawn && this.aimed === null) this.aim(this.drawn);
    const joint = this.selectedJoint();
    if (joint && this.arc) this.arc.set(this.store.now.q[joint.coordinate] ?? 0);
    this.redraw();
  }

  private selectedJoint() {
    const m = this.session.model;
    const name = this.store.now.selected;
    if (!m || name === null) return null;
    const link = m.scene.links.findIndex((l) => l.name === name);
    return m.moving.find((joint) => joint.link === link) ?? null;
  }

  /** Builds what is shown with the links: only when the selection or the choice changes. */
  private mark(): void {
    for (const mark of this.marks) dispose(mark);
    this.marks = [];
    this.arc = null;
    const m = this.session.model;
    if (!m || !this.skeleton || this.drawn !== m) return;
    const { shown, selected } = this.store.now;
    const link = selected === null ? -1 : m.scene.links.findIndex((l) => l.name === selected);
    this.skeleton.tint(link < 0 ? null : link);
    const add = (host: number, mark: THREE.Object3D): void => {
      this.skeleton?.groups[host]?.add(mark);
      this.marks.push(mark);
    };
    const joint = this.selectedJoint();
    if (joint && !joint.prismatic) {
      this.arc = new RangeArc(m, joint, this.size);
      this.arc.set(this.store.now.q[joint.coordinate] ?? 0);
      const p = m.parent[joint.link] ?? -1;
      add(p < 0 ? m.scene.links.length : p, this.arc.root);
    }
    const neighbours = link < 0 ? [] : [link, m.parent[link] ?? -1, ...(m.children[link] ?? [])];
    m.scene.links.forEach((one, i) => {
      const framed = shown.frames === 'all' || (shown.frames === 'selected' && neighbours.includes(i)) || (shown.tool && i === m.tool);
      if (framed) add(i, triad((i === m.tool ? 0.1 : 0.07) * this.size));
      if (shown.com && one.mass > 0) {
        const disc = centreOfMass(0.013 * this.size);
        disc.position.set(...one.com);
        add(i, disc);
      }
      if (shown.inertia) {
        const body = inertia(m, i, this.size);
        if (body) add(i, body);
      }
    });
    if (m.scene.planar && Math.hypot(...m.scene.gravity) > 0) add(m.scene.links.length, this.gravityArrow(m));
    this.redraw();
  }

  private gravityArrow(m: Model): THREE.Object3D {
    const down = new THREE.Vector3(...m.scene.gravity).normalize();
    const arrow = new THREE.ArrowHelper(down, new THREE.Vector3(-0.22 * this.size, 0.5 * this.size, 0), 0.2 * this.size, token('ink-3'), 0.06 * this.size, 0.035 * this.size);
    return arrow;
  }

  private readonly draw = (): void => {
    for (const act of this.beforeDraw) act();
    this.labels.caps = this.shapes === null || !this.store.now.shown.shapes;
    this.world.updateMatrixWorld(true);
    this.renderer.render(this.scene, this.camera.camera);
    if (this.skeleton) this.labels.place(this.skeleton.groups, this.camera.camera, this.width, this.height);
  };
}

const floats = (m: Model): boolean => m.scene.links.some((link, i) => (m.parent[i] ?? -1) < 0 && link.joint.kind === 'free');

/** The rotation that turns a plane towards the camera, with what is up in it upwards; y where gravity does not say. */
function facing(normal: THREE.Vector3, upwards: THREE.Vector3): THREE.Matrix4 {
  const z = normal.clone().normalize();
  // Seen from the side from which most axes are seen: z up, or y away from the viewer.
  if (z.x + z.z - z.y < 0) z.negate();
  const y = upwards.clone().addScaledVector(z, -upwards.dot(z));
  if (y.length() < 1e-6) y.set(0, 1, 0).addScaledVector(z, -z.y);
  if (y.length() < 1e-6) y.set(0, 0, 1);
  y.normalize();
  const x = y.clone().cross(z);
  return new THREE.Matrix4().makeBasis(x, y, z).transpose();
}

/** An edited robot is looked at as before. */
const sameLinks = (a: Model | null, b: Model): boolean => a !== null && a.scene.name === b.scene.name;
