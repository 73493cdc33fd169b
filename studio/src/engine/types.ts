// What the page asks of the engine and what it gets. The requests and reports of `handle` are those of the command
// (`jourdain schema`); only the fields that the page reads are named here.

export type Matrix4 = number[][];

/** A joint. Axes and points are in the link frame, where the joint is at zero. */
export interface Joint {
  name: string;
  /** `revolute`, `prismatic`, `helical`, `spherical`, `free`, `fixed` … */
  kind: string;
  axis: [number, number, number] | null;
  /** A point of that axis, or the centre of a spherical joint; null is the origin. */
  point?: [number, number, number] | null;
  /** The link frame in the parent's with the joint at zero. */
  origin: Matrix4;
  lower?: number | null;
  upper?: number | null;
  velocity?: number | null;
  effort?: number | null;
  mimic?: { joint: string; multiplier: number; offset: number } | null;
  /** The place of its first number in q, and in the velocity; null if it has none of its own. */
  coordinate?: number | null;
  column?: number | null;
}

export interface Shape {
  kind: 'box' | 'cylinder' | 'capsule' | 'sphere' | 'ellipsoid' | 'mesh';
  origin: Matrix4;
  size: number[];
  /** As the file names it, where it was found, and its scale. */
  mesh?: { uri?: string; path: string | null; scale: number[] } | null;
  colour?: number[] | null;
}

export interface Link {
  name: string;
  parent: string;
  joint: Joint;
  com: [number, number, number];
  mass: number;
  inertia: number[][];
  shapes?: Shape[];
}

export interface Coordinate { joint: string; part: string }

export interface Finding {
  severity: 'error' | 'warning';
  code: string;
  link: string | null;
  joint: string | null;
  line: number | null;
  column: number | null;
  message: string;
  hint: string | null;
}

export interface Scene {
  name: string;
  kind: 'robot' | 'arm';
  gravity: [number, number, number];
  links: Link[];
  coordinates: Coordinate[];
  velocities: Coordinate[];
  states: Record<string, number[]>;
  findings: Finding[];
  limbs: string[][];
  /** The position with every joint at zero and every quaternion at the identity. */
  neutral: number[];
  size: number;
  planar: boolean;
  /** The normal of the plane, if the robot moves in one. */
  normal: [number, number, number] | null;
}

/** The fields of a request that say which robot, and how it is edited. */
export interface RobotRequest {
  robot: string;
  gravity?: number[];
  lock?: string[];
  payload?: string[];
  only?: string[];
  without?: string[];
  floating?: boolean;
  fixed?: boolean;
  no_friction?: boolean;
}

export interface PlanInput { name: string; length: number; offset: number }
export interface PlanOutput { name: string; shape: number[]; offset: number; unit: string; symbol: string }

/** Numbers that are computed again and again at changing states: inputs are written in place, outputs read in place. */
export interface Plan {
  input(name: string): Float64Array | null;
  outputs: PlanOutput[];
  output(name: string): Float64Array;
  /** False if the numbers could not be computed at this state. */
  run(): boolean;
  drop(): void;
}

export interface OpenRobot {
  id: number;
  scene: Scene;
  plan(quantities: string[]): Plan;
  close(): void;
}

/** A motion: its columns (`t`, `q[NAME]`, `qd[NAME]`, `kinetic` …) and the numbers row by row. */
export interface Samples { columns: string[]; rows: Float64Array }

/** What an operation gave besides its report. */
export interface Outcome<T> { report: T; samples: Samples | null; files: Record<string, Uint8Array<ArrayBuffer>> }

/** A problem as the command reports it. */
export class Problem extends Error {
  constructor(
    readonly kind: string,
    message: string,
    readonly file: string | null = null,
    readonly line: number | null = null,
    readonly column: number | null = null,
    readonly hint: string | null = null,
  ) {
    super(message);
  }
}

export interface Engine {
  /** Runs an operation here and now; for what takes milliseconds. */
  handle<T>(operation: string, request: object): T;
  open(request: RobotRequest): OpenRobot;
  putFile(name: string, bytes: Uint8Array): void;
  removeFiles(): void;
}
