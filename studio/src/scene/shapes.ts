// Links as the robot's file shows them: boxes, cylinders, capsules, spheres, ellipsoids and meshes, in place of the skeleton.
//
// Primitives are there at once, meshes when they have been read. A link keeps its skeleton until the first of its shapes is there.

import * as THREE from 'three';
import { ColladaLoader } from 'three/examples/jsm/loaders/ColladaLoader.js';
import { OBJLoader } from 'three/examples/jsm/loaders/OBJLoader.js';
import { STLLoader } from 'three/examples/jsm/loaders/STLLoader.js';
import type { Shape } from '../engine/types.ts';
import type { Model } from '../state/model.ts';
import { token } from '../view/colours.ts';
import { matrix, type Skeleton } from './skeleton.ts';

/** The bytes of a mesh, or null if it cannot be found. */
export type MeshSource = (mesh: NonNullable<Shape['mesh']>) => Promise<Uint8Array | null>;

export function hasShapes(m: Model): boolean {
  return m.scene.links.some((link) => (link.shapes?.length ?? 0) > 0);
}

/** A surface of a mesh file, with its colours if the file has some: one, or one for each group of triangles. */
export interface Surface { geometry: THREE.BufferGeometry; colours: THREE.Color[] | null }

interface Made { object: THREE.Object3D; link: number; own: THREE.Material | THREE.Material[] | null; plain: THREE.Material }

export class Shapes {
  /** Meshes that could not be read, by name. */
  readonly missing: string[] = [];
  private readonly made: Made[] = [];
  private stopped = false;

  constructor(m: Model, private readonly skeleton: Skeleton, private readonly options: { source: MeshSource; ownColours: boolean; visible: boolean; changed: () => void }) {
    const meshes: [number, Shape][] = [];
    m.scene.links.forEach((link, i) => {
      for (const shape of link.shapes ?? []) {
        if (shape.kind === 'mesh') meshes.push([i, shape]);
        else this.add(i, shape, [primitive(shape)].flatMap((geometry) => (geometry ? [{ geometry, colours: null }] : [])));
      }
    });
    if (meshes.length > 0) void this.loadAll(meshes);
  }

  /** After the first picture, which shows the skeleton; one mesh after the other, so that the page answers in between. */
  private async loadAll(meshes: readonly [number, Shape][]): Promise<void> {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    for (const [link, shape] of meshes) {
      if (this.stopped) return;
      await this.load(link, shape);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
  }

  /** Shapes or skeleton; the file's colours or the drawing's. */
  set(visible: boolean, ownColours: boolean): void {
    this.options.visible = visible;
    this.options.ownColours = ownColours;
    for (const one of this.made) this.dress(one);
    this.skeleton.hide(visible ? new Set(this.made.map((one) => one.link)) : new Set());
  }

  /** The drawing is gone: what is still being read is not added to it. */
  stop(): void {
    this.stopped = true;
  }

  private async load(link: number, shape: Shape): Promise<void> {
    if (!shape.mesh) return;
    const name = shape.mesh.path ?? shape.mesh.uri ?? '';
    const bytes = await this.options.source(shape.mesh).catch(() => null);
    if (this.stopped) return;
    const surfaces = bytes ? parse(name, bytes) : null;
    if (!surfaces) {
      this.missing.push(name);
      return;
    }
    const scale = shape.mesh.scale;
    for (const { geometry } of surfaces) geometry.scale(scale[0] ?? 1, scale[1] ?? 1, scale[2] ?? 1);
    this.add(link, shape, surfaces);
    this.options.changed();
  }

  private add(link: number, shape: Shape, surfaces: readonly Surface[]): void {
    const group = this.skeleton.groups[link];
    if (!group) return;
    const [r, g, b, a] = shape.colour ?? [];
    // What the robot's file says of a colour stands above what the mesh says.
    const said = shape.colour ? new THREE.MeshStandardMaterial({ color: new THREE.Color().setRGB(r ?? 1, g ?? 1, b ?? 1, THREE.SRGBColorSpace), roughness: 0.6, transparent: (a ?? 1) < 1, opacity: a ?? 1 }) : null;
    for (const { geometry, colours } of surfaces) {
      const painted = colours?.map((color) => new THREE.MeshStandardMaterial({ color, roughness: 0.6 }));
      const own = said ?? (painted && painted.length > 1 ? painted : (painted?.[0] ?? null));
      if (!geometry.getAttribute('normal')) geometry.computeVertexNormals();
      const holder = new THREE.Group();
      holder.applyMatrix4(matrix(shape.origin));
      const body = new THREE.Mesh(geometry, this.skeleton.material(link));
      body.castShadow = true;
      body.userData['link'] = link;
      holder.add(body, new THREE.Mesh(geometry, contour(this.skeleton.edge)));
      group.add(holder);
      const made = { object: holder, link, own, plain: this.skeleton.material(link) };
      this.made.push(made);
      this.dress(made);
    }
    if (this.options.visible) this.skeleton.hide(new Set(this.made.map((one) => one.link)));
  }

  private dress({ object, own, plain }: Made): void {
    object.visible = this.options.visible;
    (object.children[0] as THREE.Mesh).material = own && this.options.ownColours ? own : plain;
  }
}

/** A solid of the shape's size, its axis along z as robot files have it. */
function primitive({ kind, size }: Shape): THREE.BufferGeometry | null {
  const [a = 0, b = 0, c = 0] = size;
  if (kind === 'box') return new THREE.BoxGeometry(a, b, c);
  if (kind === 'sphere') return new THREE.SphereGeometry(a, 36, 24);
  if (kind === 'ellipsoid') return new THREE.SphereGeometry(1, 36, 24).scale(a, b, c);
  if (kind === 'cylinder') return new THREE.CylinderGeometry(a, a, b, 48).rotateX(Math.PI / 2);
  if (kind === 'capsule') return new THREE.CapsuleGeometry(a, b, 12, 36).rotateX(Math.PI / 2);
  return null;
}

/** The surfaces of an STL, OBJ or Collada file; null if it is none of these. */
export function parse(name: string, bytes: Uint8Array): Surface[] | null {
  const buffer = bytes.slice().buffer;
  const text = (): string => new TextDecoder().decode(bytes);
  try {
    if (/\.stl$/i.test(name)) return [{ geometry: new STLLoader().parse(buffer), colours: null }];
    if (/\.obj$/i.test(name)) return surfaces(new OBJLoader().parse(text()));
    if (/\.dae$/i.test(name)) {
      // The reader would turn what has z up; robot files mean the coordinates as they are written.
      const read = new ColladaLoader().parse(text().replace(/<up_axis>[^<]*<\/up_axis>/, ''), '');
      return read ? surfaces(read.scene, true) : null;
    }
  } catch {
    // A file that cannot be read is named among the missing ones.
  }
  return null;
}

function surfaces(root: THREE.Object3D, coloured = false): Surface[] {
  root.updateMatrixWorld(true);
  const found: Surface[] = [];
  root.traverse((object) => {
    if (!(object instanceof THREE.Mesh)) return;
    const geometry = (object.geometry as THREE.BufferGeometry).clone().applyMatrix4(object.matrixWorld);
    const materials = (Array.isArray(object.material) ? object.material : [object.material]) as { color?: THREE.Color }[];
    const colours = materials.map((one) => one.color?.clone() ?? new THREE.Color('#cccccc'));
    found.push({ geometry, colours: coloured ? colours : null });
  });
  return found;
}

/** The back of the same surface, pushed outwards along its normals. */
function contour(edge: number): THREE.Material {
  return new THREE.ShaderMaterial({
    side: THREE.BackSide,
    uniforms: { colour: { value: new THREE.Color(token('link-edge')) }, edge: { value: edge } },
    vertexShader: 'uniform float edge; void main() { gl_Position = projectionMatrix * modelViewMatrix * vec4(position + normalize(normal) * edge, 1.0); }',
    fragmentShader: 'uniform vec3 colour;\nvoid main() {\n  gl_FragColor = vec4(colour, 1.0);\n  #include <colorspace_fragment>\n}',
  });
}
