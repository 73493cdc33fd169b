// The open robot: its model, the numbers at the present state, and the events that follow from opening another.

import type { Jobs } from '../engine/jobs.ts';
import { Problem, type Engine, type OpenRobot, type Plan, type RobotRequest } from '../engine/types.ts';
import { model, type Model } from './model.ts';
import { beforeFrame } from './frame.ts';
import type { Card, Store, Target } from './store.ts';

export interface Quantity {
  name: string;
  short: string[];
  about: string;
  shape: string[];
  inputs: string[];
  unit: string;
  equation: string;
}

export interface Numbers { name: string; shape: number[]; unit: string; values: Float64Array }

type Listener = () => void;

/** Always computed: the energies have a line of their own under the cards. */
const always = ['kinetic_energy', 'potential_energy'];

export class Session {
  model: Model | null = null;
  /** True if the present robot came from the one before by an edit: the view stays. */
  wasEdit = false;
  readonly quantities: Quantity[];
  private opened: { request: RobotRequest; robot: OpenRobot } | null = null;
  private plan: Plan | null = null;
  private planned: string[] = [];
  private readonly extra = new Set<string>();
  private readonly robotListeners: Listener[] = [];
  private readonly numberListeners: Listener[] = [];
  /** Called with what went wrong when a robot could not be opened; the former one stays. */
  refused: (problem: Problem, request: RobotRequest) => void = () => {};

  constructor(readonly engine: Engine, readonly jobs: Jobs, private readonly store: Store) {
    this.quantities = engine.handle<Quantity[]>('quantities', {});
    store.on(['robot'], () => this.follow());
    store.on(['q', 'qd', 'qdd', 'cards', 'robot'], () => beforeFrame('compute', this.compute));
  }

  onRobot(act: Listener): void { this.robotListeners.push(act); }
  /** After every computation: poses and all planned quantities are new. */
  onNumbers(act: Listener): void { this.numberListeners.push(act); }

  get request(): RobotRequest | null { return this.opened?.request ?? null; }

  /** Opens a robot and shows it at home, or where `at` says; false if it was refused. */
  open(request: RobotRequest, at: { q?: readonly number[] | null; cards?: readonly Card[]; target?: Target | null } = {}): boolean {
    const robot = this.tryOpen(request);
    if (!robot) return false;
    this.adopt(request, robot);
    this.wasEdit = false;
    const m = this.model as Model;
    const q = at.q && at.q.length === m.home.length ? [...at.q] : [...m.home];
    const zeros = m.scene.velocities.map(() => 0);
    this.store.set({ robot: request, q, qd: zeros, qdd: zeros, cards: this.fitting(at.cards ?? this.store.now.cards), target: m.scene.links.some((link) => link.name === at.target?.link) ? (at.target ?? null) : null, arm: null, selected: null, edited: 'q', time: null, start: null });
    return true;
  }

  /** The same robot, edited: joint values stay where they fit. */
  edit(request: RobotRequest): boolean {
    const before = this.model;
    const values = new Map(before?.moving.map((joint) => [joint.name, this.store.now.q[joint.coordinate] ?? 0]));
    const robot = this.tryOpen(request);
    if (!robot) return false;
    this.adopt(request, robot);
    this.wasEdit = true;
    const m = this.model as Model;
    const q = [...m.home];
    for (const joint of m.moving) q[joint.coordinate] = values.get(joint.name) ?? q[joint.coordinate] ?? 0;
    const zeros = m.scene.velocities.map(() => 0);
    this.store.set({ robot: request, q, qd: zeros, qdd: zeros, cards: this.fitting(this.store.now.cards), target: null });
    return true;
  }

  /** Cards of a link that this robot does not have are about its tool instead. */
  private fitting(cards: readonly Card[]): readonly Card[] {
    const m = this.model;
    const known = (link: string): boolean => m?.scene.links.some((one) => one.name === link) ?? false;
    const width = m?.home.length ?? 0;
    return cards.map((card) => (card.against && card.against.length !== width ? { ...card, against: null } : card)).map((card) => {
      const [kind, link] = card.quantity.split(':');
      return link === undefined || known(link) || !m ? card : { ...card, quantity: `${kind}:${m.scene.links[m.tool]?.name ?? ''}` };
    }).filter((card) => this.quantities.some((one) => one.name === card.quantity.replace(/:.*/, ':L') || one.short.includes(card.quantity) || /_d\d+$/.test(card.quantity)));
  }

  /** Numbers of a quantity at the present state; null if it is not planned or could not be computed. */
  numbers(name: string): Numbers | null {
    const output = this.plan?.outputs.find((o) => o.name === name);
    if (!output || !this.plan) return null;
    return { name, shape: output.shape, unit: output.unit, values: this.plan.output(name) };
  }

  get poses(): Float64Array | null { return this.plan ? this.plan.output('poses') : null; }

  /** Plans a quantity that no card shows, such as the Jacobian of the ellipsoid. */
  need(name: string, wanted: boolean): void {
    if (this.extra.has(name) === wanted) return;
    if (wanted) this.extra.add(name);
    else this.extra.delete(name);
    beforeFrame('compute', this.compute);
  }

  /** Another plan of the same robot, for states other than the present one. */
  sidePlan(names: string[]): Plan | null {
    return this.opened ? this.opened.robot.plan(names) : null;
  }

  private tryOpen(request: RobotRequest): OpenRobot | null {
    try {
      return this.engine.open(request);
    } catch (thrown) {
      if (!(thrown instanceof Problem)) throw thrown;
      this.refused(thrown, request);
      return null;
    }
  }

  private adopt(request: RobotRequest, robot: OpenRobot): void {
    this.plan?.drop();
    this.plan = null;
    this.planned = [];
    this.extra.clear();
    this.opened?.robot.close();
    this.opened = { request, robot };
    this.model = model(robot.scene);
  }

  /** After the field `robot` has changed: by opening (then it is here already) or by undo (then it is opened again). */
  private follow(): void {
    const { robot } = this.store.now;
    if (robot !== null && robot !== this.opened?.request) {
      const again = this.tryOpen(robot);
      this.wasEdit = robot.robot === this.opened?.request.robot;
      if (again) this.adopt(robot, again);
    }
    if (robot === null && this.opened) {
      // Undone back to the start: there is no robot again.
      this.plan?.drop();
      this.plan = null;
      this.opened.robot.close();
      this.opened = null;
      this.model = null;
    }
    for (const act of this.robotListeners) act();
  }

  private readonly compute = (): void => {
    if (!this.opened || !this.model) return;
    const wanted = this.wanted();
    if (this.plan === null || wanted.join() !== this.planned.join()) {
      this.plan?.drop();
      this.plan = this.opened.robot.plan(wanted);
      this.planned = wanted;
    }
    const { q, qd, qdd } = this.store.now;
    this.plan.input('q')?.set(q);
    this.plan.input('qd')?.set(qd);
    this.plan.input('qdd')?.set(qdd);
    this.plan.run();
    for (const act of this.numberListeners) act();
  };

  private wanted(): string[] {
    const shown = this.store.now.cards.filter((card) => !card.folded && card.face === 'values').map((card) => card.quantity);
    return [...new Set([...shown, ...always, ...this.extra])];
  }
}
