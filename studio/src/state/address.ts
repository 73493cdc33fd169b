// The address of the page restores what is shown:
// `?robot=panda&show=mass_matrix:formula,gravity&task=reach&q=0.45,…&target=tool:pose:0.4,0.1,0.5,3.14,0,0&view=az,el,d&theme=dark`.
// A motion is restored by computing it again: `q` is then where it began, `scenario=none,2,0.001` how, `t` the moment shown.
//
// A bare name in `show` means Values. The token of the server is kept while the page lives but never copied.
// Trap: names of quantities of a link contain a colon themselves (`pose:tool`); the face is what follows the last colon, if it is one.

import type { RobotRequest } from '../engine/types.ts';
import { fromRollPitchYaw, toRollPitchYaw } from '../reach/rotation.ts';
import type { ArmTask, Card, Drives, Face, Scenario, State, Store, Target, Task } from './store.ts';

const faces: readonly Face[] = ['values', 'formula', 'code'];
const tasks: readonly Task[] = ['quantities', 'reach', 'parameters', 'motion'];
const armTasks: readonly ArmTask[] = ['modes', 'terms', 'frequency', 'swing'];
const targetTasks: readonly Target['task'][] = ['position', 'pose', 'position-pointing'];
const drives: readonly Drives[] = ['none', 'pd-gravity', 'computed-torque', 'elastic'];
const lists = ['lock', 'payload', 'only', 'without'] as const;
const flags = ['floating', 'fixed', 'no_friction'] as const;

export interface Asked {
  robot: RobotRequest | null;
  cards: Card[] | null;
  q: number[] | null;
  task: Task | null;
  armTask: ArmTask | null;
  target: Target | null;
  scenario: Scenario | null;
  time: number | null;
  theme: 'light' | 'dark' | null;
  view: number[] | null;
}

export function readAddress(search: string): Asked {
  const given = new URLSearchParams(search);
  const name = given.get('robot');
  const theme = given.get('theme');
  const task = given.get('task');
  return {
    robot: name ? request(name, given) : null,
    cards: given.has('show') ? readCards(given.get('show') ?? '') : null,
    q: numbers(given.get('q')),
    task: tasks.find((one) => one === task) ?? null,
    armTask: armTasks.find((one) => one === task) ?? null,
    target: readTarget(given.get('target')),
    scenario: readScenario(given.get('scenario')),
    time: numbers(given.get('t'))?.[0] ?? null,
    theme: theme === 'light' || theme === 'dark' ? theme : null,
    view: numbers(given.get('view')),
  };
}

function request(robot: string, given: URLSearchParams): RobotRequest {
  const made: RobotRequest = { robot };
  for (const key of lists) if (given.has(key)) made[key] = given.getAll(key);
  for (const key of flags) if (given.has(key)) made[key] = true;
  const gravity = numbers(given.get('gravity'));
  if (gravity?.length === 3) made.gravity = gravity;
  return made;
}

/** `LINK:TASK:x,y,z,roll,pitch,yaw`; the name of a link may have colons of its own. */
function readTarget(text: string | null): Target | null {
  const found = /^(.+):([a-z-]+):([^:]+)$/.exec(text ?? '');
  const values = numbers(found?.[3] ?? null);
  const task = targetTasks.find((one) => one === found?.[2]);
  if (!found || !task || values?.length !== 6) return null;
  const [x = 0, y = 0, z = 0, roll = 0, pitch = 0, yaw = 0] = values;
  return { link: found[1] ?? '', task, position: [x, y, z], rotation: fromRollPitchYaw(roll, pitch, yaw) };
}

function readScenario(text: string | null): Scenario | null {
  const [kind, duration = '', step = ''] = (text ?? '').split(',');
  const found = drives.find((one) => one === kind);
  return found && Number(duration) > 0 && Number(step) > 0 ? { drives: found, duration: Number(duration), step: Number(step) } : null;
}

function numbers(text: string | null): number[] | null {
  if (!text) return null;
  const found = text.split(',').map(Number);
  return found.every(Number.isFinite) ? found : null;
}

let last = 0;

export function newCard(quantity: string, face: Face = 'values'): Card {
  last += 1;
  return { id: last, quantity, face, form: 'symbolic', language: 'c', folded: false, element: null, against: null };
}

export function readCards(text: string): Card[] {
  return text.split(',').filter((one) => one !== '').map((one) => {
    const cut = one.lastIndexOf(':');
    const face = faces.find((f) => cut > 0 && f === one.slice(cut + 1));
    return face ? newCard(one.slice(0, cut), face) : newCard(one);
  });
}

const short = (x: number): string => String(Number(x.toPrecision(12)));

/** What comes after the question mark, without the token. */
export function writeAddress(state: Readonly<State>, view: number[] | null): string {
  const parts: string[] = [];
  const put = (key: string, value: string): void => {
    parts.push(`${key}=${encodeURIComponent(value).replace(/%2C/g, ',').replace(/%3A/g, ':')}`);
  };
  if (state.arm) {
    put('robot', state.arm);
    put('task', state.armTask);
    put('theme', state.theme);
    return parts.join('&');
  }
  if (state.robot) {
    put('robot', state.robot.robot);
    for (const key of lists) for (const value of state.robot[key] ?? []) put(key, value);
    for (const key of flags) if (state.robot[key]) put(key, '1');
    if (state.robot.gravity) put('gravity', state.robot.gravity.join(','));
  }
  put('show', state.cards.map((card) => (card.face === 'values' ? card.quantity : `${card.quantity}:${card.face}`)).join(','));
  if (state.task !== 'quantities') put('task', state.task);
  const moment = state.time !== null && state.start !== null;
  const q = moment ? (state.start ?? []) : state.q;
  if (q.some((x) => x !== 0)) put('q', q.map(short).join(','));
  if (state.target && state.task === 'reach') put('target', `${state.target.link}:${state.target.task}:${[...state.target.position, ...toRollPitchYaw(state.target.rotation)].map(short).join(',')}`);
  if (moment) {
    put('scenario', `${state.scenario.drives},${state.scenario.duration},${state.scenario.step}`);
    put('t', short(state.time ?? 0));
  }
  if (view) put('view', view.map((x) => x.toFixed(3)).join(','));
  put('theme', state.theme);
  return parts.join('&');
}

/** Keeps the address as the state is: replaced, never pushed, at most twice a second. */
export function followAddress(store: Store, view: () => number[] | null): () => void {
  let waiting = 0;
  const write = (): void => {
    waiting = 0;
    const token = new URLSearchParams(location.search).get('token');
    const search = writeAddress(store.now, view());
    try {
      history.replaceState(null, '', `?${search}${token === null ? '' : `&token=${encodeURIComponent(token)}`}`);
    } catch {
      // A page from disk may not rewrite its address: the link is still copied from the state.
    }
  };
  const later = (): void => {
    if (waiting === 0) waiting = window.setTimeout(write, 500);
  };
  store.on(['robot', 'arm', 'armTask', 'q', 'cards', 'task', 'target', 'scenario', 'time', 'theme'], later);
  return later;
}
