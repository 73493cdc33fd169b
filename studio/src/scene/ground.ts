// The ground: a grid that fades, its axes a little darker, and the shadow of the robot.

import * as THREE from 'three';
import { token } from '../view/colours.ts';

/** The spacing of fine lines for a robot of this size: 0.1 m for an arm of about a metre, in decades. */
export function spacing(size: number): number {
  return 10 ** Math.round(Math.log10(size / 11));
}

export class Ground {
  readonly root = new THREE.Group();
  private readonly lines: THREE.ShaderMaterial;
  private readonly shadow: THREE.ShadowMaterial;

  constructor(size: number) {
    const reach = 3 * size;
    this.lines = new THREE.ShaderMaterial({
      transparent: true,
      depthWrite: false,
      side: THREE.DoubleSide,
      uniforms: { fine: { value: new THREE.Color() }, axis: { value: new THREE.Color() }, reach: { value: reach / 2 }, step: { value: spacing(size) } },
      vertexShader: 'varying vec2 p; void main() { p = position.xy; gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0); }',
      fragmentShader: `
        varying vec2 p;
        uniform vec3 fine, axis;
        uniform float reach, step;
        float lines(float spacing, float width) {
          vec2 g = abs(fract(p / spacing - 0.5) - 0.5) / fwidth(p / spacing);
          return 1.0 - clamp(min(g.x, g.y) - width, 0.0, 1.0);
        }
        void main() {
          float fade = 1.0 - smoothstep(0.25 * reach, reach, length(p));
          float k = max(lines(step, 0.0) * 0.34, lines(step * 5.0, 0.2) * 0.8);
          vec2 a = abs(p) / fwidth(p);
          float x = 1.0 - clamp(min(a.x, a.y) - 0.6, 0.0, 1.0);
          gl_FragColor = vec4(mix(fine, axis, x), max(k, x * 0.55) * fade);
          #include <colorspace_fragment>
        }`,
    });
    this.root.add(new THREE.Mesh(new THREE.PlaneGeometry(reach, reach), this.lines));
    this.shadow = new THREE.ShadowMaterial();
    const receiver = new THREE.Mesh(new THREE.PlaneGeometry(reach, reach), this.shadow);
    receiver.position.z = 0.0006 * size;
    receiver.receiveShadow = true;
    this.root.add(receiver);
    this.recolour();
  }

  recolour(): void {
    (this.lines.uniforms['fine']?.value as THREE.Color).set(token('grid'));
    (this.lines.uniforms['axis']?.value as THREE.Color).set(token('ink-3'));
    this.shadow.opacity = document.documentElement.dataset['theme'] === 'dark' ? 0.4 : 0.13;
  }
}
