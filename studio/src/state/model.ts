// A robot as the page sees it: which joints move, what they are called, which colour each has, and who hangs on whom.

import type { Scene } from '../engine/types.ts';

/** A joint of one number: it has a slider. */
export interface Moving {
  /** Its place among the joints that move. */
  index: number;
  name: string;
  /** The link that it moves. */
  link: number;
  /** Its place in q, and in the velocities. */
  coordinate: number;
  velocity: number;
  /** The ends of its slider, and whether they are limits of the joint. */
  lower: number;
  upper: number;
  limited: boolean;
  prismatic: boolean;
  effort: number | null;
  speed: number | null;
  unit: 'rad' | 'm';
}

export interface Model {
  scene: Scene;
  moving: Moving[];
  /** Of each link: index of its parent, −1 for the ground. */
  parent: number[];
  children: number[][];
  /** Of each link: the moving joint whose colour it has, −1 for none. */
  owner: number[];
  /** How many links lie between it and the ground, and the longest such chain. */
  depth: number[];
  home: number[];
  totalMass: number;
  /** The link that is placed by default: `tool`, or the last end. */
  tool: number;
  /** Of each moving joint: hue (0…7) and step of lightness (−1, 0, 1). */
  hues: { hue: number; step: number }[];
}

export function model(scene: Scene): Model {
  const place = new Map(scene.links.map((link, i) => [link.name, i]));
  const parent = scene.links.map((link) => place.get(link.parent) ?? -1);
  const children: number[][] = scene.links.map(() => []);
  const depth: number[] = [];
  parent.forEach((p, i) => {
    if (p >= 0) children[p]?.push(i);
    depth.push(p < 0 ? 0 : (depth[p] ?? 0) + 1);
  });
  const moving = movingJoints(scene);
  const owner = scene.links.map(() => -1);
  scene.links.forEach((link, i) => {
    const own = moving.find((joint) => joint.link === i);
    const leader = link.joint.mimic ? moving.find((joint) => joint.name === link.joint.mimic?.joint) : undefined;
    const p = parent[i] ?? -1;
    const inherits = link.joint.kind === 'fixed' && p >= 0 ? (owner[p] ?? -1) : -1;
    owner[i] = own?.index ?? leader?.index ?? inherits;
  });
  const named = place.get('tool');
  const ends = scene.links.map((_, i) => i).filter((i) => children[i]?.length === 0);
  return {
    scene, moving, parent, children, owner, depth,
    home: homePosition(scene, moving),
    totalMass: scene.links.reduce((sum, link) => sum + link.mass, 0),
    tool: named ?? deepest(ends, depth),
    hues: hues(scene, moving),
  };
}

function deepest(ends: number[], depth: number[]): number {
  return ends.reduce((best, i) => ((depth[i] ?? 0) > (depth[best] ?? -1) ? i : best), ends[0] ?? 0);
}

function movingJoints(scene: Scene): Moving[] {
  const moving: Moving[] = [];
  scene.coordinates.forEach(({ joint: name, part }, coordinate) => {
    if (part !== '') return;
    const link = scene.links.findIndex((l) => l.joint.name === name);
    const joint = scene.links[link]?.joint;
    if (!joint) return;
    const prismatic = joint.kind === 'prismatic';
    const limited = typeof joint.lower === 'number' && typeof joint.upper === 'number' && joint.upper > joint.lower;
    const reach = prismatic ? Math.max(scene.size, 0.1) : Math.PI;
    moving.push({
      index: moving.length, name, link, coordinate,
      velocity: scene.velocities.findIndex((v) => v.joint === name),
      lower: limited ? (joint.lower as number) : -reach,
      upper: limited ? (joint.upper as number) : reach,
      limited, prismatic,
      effort: joint.effort ?? null,
      speed: joint.velocity ?? null,
      unit: prismatic ? 'm' : 'rad',
    });
  });
  return moving;
}

/** The state `home` of the file; otherwise zero, or the nearest value within the limits. */
function homePosition(scene: Scene, moving: Moving[]): number[] {
  const named = scene.states['home'];
  if (named && named.length === scene.coordinates.length) return [...named];
  const q = [...scene.neutral];
  for (const joint of moving) {
    if (joint.limited) q[joint.coordinate] = Math.min(joint.upper, Math.max(joint.lower, 0));
  }
  return q;
}

/** Up to eight joints: a hue each. More: a hue per limb and three steps of lightness inside it. */
function hues(scene: Scene, moving: Moving[]): { hue: number; step: number }[] {
  if (moving.length <= 8) return moving.map((_, i) => ({ hue: i, step: 0 }));
  const limbOf = new Map<string, number>();
  scene.limbs.forEach((limb, i) => limb.forEach((link) => limbOf.set(link, i)));
  const seen = new Map<number, number>();
  const hueOf = new Map<number, number>();
  return moving.map((joint) => {
    const limb = limbOf.get(scene.links[joint.link]?.name ?? '') ?? 0;
    if (!hueOf.has(limb)) hueOf.set(limb, hueOf.size % 8);
    const nth = seen.get(limb) ?? 0;
    seen.set(limb, nth + 1);
    return { hue: hueOf.get(limb) ?? 0, step: (nth % 3) - 1 };
  });
}

/** A random position within the limits; quaternions stay as they are. */
export function randomPosition(m: Model, q: readonly number[], random: () => number = Math.random): number[] {
  const next = [...q];
  for (const joint of m.moving) next[joint.coordinate] = joint.lower + (joint.upper - joint.lower) * random();
  return next;
}
