// All that the page knows, in one place, with undo.
//
// A change names the fields that change. Changes with the same step, such as those of one drag, are undone together. Camera,
// layout, theme, tab and selection are fields like the others but are not undone.

import type { RobotRequest } from '../engine/types.ts';

export type Face = 'values' | 'formula' | 'code';
export type Form = 'numeric' | 'symbolic' | 'base';
export type Language = 'c' | 'rust' | 'python' | 'matlab';
export type Task = 'quantities' | 'reach' | 'parameters' | 'motion';
/** The tabs of a flexible arm. */
export type ArmTask = 'modes' | 'terms' | 'frequency' | 'swing';
export type Unit = 'rad' | 'deg';
/** What the sliders move: positions, velocities or accelerations. */
export type Edited = 'q' | 'qd' | 'qdd';

export interface Card {
  id: number;
  quantity: string;
  face: Face;
  form: Form;
  language: Language;
  folded: boolean;
  /** The element that Formula shows of a large robot's matrix. */
  element: readonly [number, number] | null;
  /** The position that Values is compared with. */
  against: readonly number[] | null;
}

export interface Target {
  link: string;
  task: 'position' | 'pose' | 'position-pointing';
  position: readonly [number, number, number];
  /** Rotation matrix, row by row. */
  rotation: readonly (readonly number[])[];
}

/** `elastic`: springs in the joints, along waves, under a law that knows them. */
export type Drives = 'none' | 'pd-gravity' | 'computed-torque' | 'elastic';

export interface Scenario {
  drives: Drives;
  duration: number;
  step: number;
}

export interface Shown {
  tool: boolean;
  frames: 'off' | 'selected' | 'all';
  com: boolean;
  inertia: boolean;
  ellipsoid: boolean;
  /** What the link can come to, in a plane through the target. */
  slice: boolean;
  /** Links as the file shows them, if it does, instead of the skeleton. */
  shapes: boolean;
  ownColours: boolean;
}

export interface State {
  robot: RobotRequest | null;
  /** The flexible arm that is shown instead of the robot. */
  arm: string | null;
  q: readonly number[];
  qd: readonly number[];
  qdd: readonly number[];
  cards: readonly Card[];
  target: Target | null;
  criterion: string;
  scenario: Scenario;
  task: Task;
  armTask: ArmTask;
  selected: string | null;
  hovered: number | null;
  shown: Shown;
  edited: Edited;
  unit: Unit;
  theme: 'light' | 'dark';
  time: number | null;
  /** Where the motion that is shown began. */
  start: readonly number[] | null;
}

const undone = ['robot', 'arm', 'q', 'qd', 'qdd', 'cards', 'target', 'criterion', 'scenario'] as const;
type Undone = Pick<State, (typeof undone)[number]>;
type Key = keyof State;

const depth = 200;

export class Store {
  private past: Undone[] = [];
  private future: Undone[] = [];
  private step: string | null = null;
  private readonly listeners: { keys: readonly Key[]; act: (changed: ReadonlySet<Key>) => void }[] = [];

  constructor(private state: State) {}

  get now(): Readonly<State> {
    return this.state;
  }

  /** Changes fields. Give the same `step` to changes that belong to one act, and end it with `endStep`. */
  set(change: Partial<State>, step: string | null = null): void {
    const changed = this.differences(change);
    if (changed.size === 0) return;
    if (undone.some((key) => changed.has(key)) && (step === null || step !== this.step)) {
      this.past.push(this.snapshot());
      if (this.past.length > depth) this.past.shift();
      this.future = [];
    }
    if (undone.some((key) => changed.has(key))) this.step = step;
    this.state = { ...this.state, ...change };
    this.tell(changed);
  }

  /** Changes fields as a consequence of what has just been done: nothing of its own to undo. */
  amend(change: Partial<State>): void {
    const changed = this.differences(change);
    if (changed.size === 0) return;
    this.state = { ...this.state, ...change };
    this.tell(changed);
  }

  endStep(): void {
    this.step = null;
  }

  /** Starts anew, with nothing to undo: the first robot. */
  forget(): void {
    this.past = [];
    this.future = [];
    this.step = null;
    this.tell(new Set(['q']));
  }

  get canUndo(): boolean { return this.past.length > 0; }
  get canRedo(): boolean { return this.future.length > 0; }

  undo(): void { this.travel(this.past, this.future); }
  redo(): void { this.travel(this.future, this.past); }

  /** Calls `act` after every change of one of the fields. */
  on(keys: readonly Key[], act: (changed: ReadonlySet<Key>) => void): void {
    this.listeners.push({ keys, act });
  }

  private travel(from: Undone[], to: Undone[]): void {
    const there = from.pop();
    if (there === undefined) return;
    to.push(this.snapshot());
    this.step = null;
    const changed = this.differences(there);
    this.state = { ...this.state, ...there };
    this.tell(changed);
  }

  private snapshot(): Undone {
    const { robot, arm, q, qd, qdd, cards, target, criterion, scenario } = this.state;
    return { robot, arm, q, qd, qdd, cards, target, criterion, scenario };
  }

  private differences(change: Partial<State>): Set<Key> {
    return new Set((Object.keys(change) as Key[]).filter((key) => change[key] !== this.state[key]));
  }

  private tell(changed: ReadonlySet<Key>): void {
    for (const { keys, act } of this.listeners) if (keys.some((key) => changed.has(key))) act(changed);
  }
}
