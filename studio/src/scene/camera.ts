// The camera: orbit about the robot, four presets, flights between them, up against gravity.

import * as THREE from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';

export type Preset = 'perspective' | 'front' | 'side' | 'top';

export interface View { azimuth: number; elevation: number; distance: number; preset: Preset }

const lens = 26;
const degrees = Math.PI / 180;
const directions: Record<Preset, { azimuth: number; elevation: number }> = {
  perspective: { azimuth: 35 * degrees, elevation: 17 * degrees },
  front: { azimuth: 0, elevation: 0 },
  side: { azimuth: Math.PI / 2, elevation: 0 },
  top: { azimuth: 0, elevation: Math.PI / 2 - 1e-4 },
};

export class Camera {
  private readonly deep = new THREE.PerspectiveCamera(lens, 1, 0.01, 100);
  private readonly flat = new THREE.OrthographicCamera(-1, 1, 1, -1, 0.01, 100);
  readonly controls: OrbitControls;
  preset: Preset = 'perspective';
  private size = 1;
  private aspect = 1;
  private flight = 0;
  private previous: View | null = null;

  constructor(element: HTMLElement, private readonly changed: () => void) {
    this.controls = new OrbitControls(this.deep, element);
    this.controls.enableDamping = false;
    this.controls.addEventListener('change', () => this.changed());
    this.controls.addEventListener('start', () => this.keep());
  }

  get camera(): THREE.PerspectiveCamera | THREE.OrthographicCamera {
    return this.preset === 'perspective' ? this.deep : this.flat;
  }

  get view(): View {
    const offset = this.camera.position.clone().sub(this.controls.target);
    return {
      azimuth: Math.atan2(offset.x, offset.z),
      elevation: Math.asin(Math.min(1, Math.max(-1, offset.y / offset.length()))),
      distance: this.preset === 'perspective' ? offset.length() : offset.length() / this.flat.zoom,
      preset: this.preset,
    };
  }

  /** Looks at a robot of this size about this centre. */
  frame(centre: THREE.Vector3, size: number, preset: Preset): void {
    this.size = size;
    for (const camera of [this.deep, this.flat]) {
      camera.near = 0.01 * size;
      camera.far = 40 * size;
    }
    this.controls.target.copy(centre);
    this.controls.minDistance = 0.2 * size;
    this.controls.maxDistance = 12 * size;
    this.previous = null;
    this.set({ ...directions[preset], distance: this.fit(), preset });
  }

  go(preset: Preset): void {
    this.keep();
    this.fly({ ...directions[preset], distance: this.fit(), preset });
  }

  /** The view before the last change by hand or preset. */
  back(): void {
    const there = this.previous;
    if (!there) return;
    this.keep();
    this.fly(there);
  }

  resize(width: number, height: number): void {
    const before = this.fit();
    this.aspect = width / Math.max(1, height);
    this.deep.aspect = this.aspect;
    this.deep.updateProjectionMatrix();
    this.lay();
    const after = this.fit();
    if (Math.abs(after - before) > 1e-9) this.set({ ...this.view, distance: (this.view.distance * after) / before });
  }

  set(view: View): void {
    this.preset = view.preset;
    const direction = new THREE.Vector3(Math.cos(view.elevation) * Math.sin(view.azimuth), Math.sin(view.elevation), Math.cos(view.elevation) * Math.cos(view.azimuth));
    const { camera } = this;
    camera.position.copy(this.controls.target).addScaledVector(direction, view.distance);
    this.flat.zoom = 1;
    this.lay();
    if (this.controls.object !== camera) this.controls.object = camera;
    camera.lookAt(this.controls.target);
    this.controls.update();
    camera.updateMatrixWorld();
    this.changed();
  }

  /** The distance at which the robot fits with some air, whichever side of the stage is shorter. */
  private fit(): number {
    return (0.62 * this.size * 1.12) / (Math.tan((lens / 2) * degrees) * Math.min(1, this.aspect));
  }

  private lay(): void {
    const half = Math.tan((lens / 2) * degrees) * this.flat.position.distanceTo(this.controls.target);
    this.flat.top = half;
    this.flat.bottom = -half;
    this.flat.left = -half * this.aspect;
    this.flat.right = half * this.aspect;
    this.flat.updateProjectionMatrix();
  }

  private keep(): void {
    this.previous = this.view;
  }

  private fly(to: View): void {
    const from = this.view;
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    const flight = (this.flight += 1);
    const begin = performance.now();
    const turn = Math.atan2(Math.sin(to.azimuth - from.azimuth), Math.cos(to.azimuth - from.azimuth));
    const step = (): void => {
      if (flight !== this.flight) return;
      const t = still ? 1 : Math.min(1, (performance.now() - begin) / 240);
      const e = 1 - (1 - t) ** 3;
      const between = (a: number, b: number) => a + (b - a) * e;
      this.set({
        azimuth: from.azimuth + turn * e,
        elevation: between(from.elevation, to.elevation),
        distance: between(from.distance, to.distance),
        preset: t < 1 && from.preset !== to.preset ? from.preset : to.preset,
      });
      if (t < 1) requestAnimationFrame(step);
    };
    step();
  }
}
