// Starts the page: engine, state, views, and the robot that the address or the server asks for.

import './style/index.css';
import { FlexiblePanel } from './flexible/panel.ts';
import { loadEngine } from './engine/load.ts';
import { Jobs } from './engine/jobs.ts';
import type { RobotRequest } from './engine/types.ts';
import { forgetDerivations } from './quantities/derivations.ts';
import { motionDock } from './motion/dock.ts';
import { motionPanel } from './motion/panel.ts';
import { Player } from './motion/player.ts';
import { parametersPanel } from './parameters/panel.ts';
import { quantitiesPanel } from './quantities/panel.ts';
import { findingCard } from './quantities/selection.ts';
import { reachPanel } from './reach/panel.ts';
import { Stage } from './scene/stage.ts';
import { followAddress, newCard, readAddress } from './state/address.ts';
import { kindOf, mainRobot, readFiles, type Taken } from './state/files.ts';
import { oneFile, pageSource, type Boot } from './state/onefile.ts';
import { recall, remember } from './state/preferences.ts';
import { servedFile, servedFiles, servedMesh, watchServer } from './state/server.ts';
import { Session } from './state/session.ts';
import { Store, type ArmTask, type Task } from './state/store.ts';
import { announcer, keepDescribed } from './view/announce.ts';
import type { App } from './view/app.ts';
import { bar } from './view/bar.ts';
import { publishJointColours, themeChanged } from './view/colours.ts';
import { fill, h } from './view/dom.ts';
import { dropTarget } from './view/drop.ts';
import { emptyPanel, emptyStage } from './view/empty.ts';
import { grip } from './view/grip.ts';
import { jointsPanel } from './view/joints.ts';
import { keys } from './view/keys.ts';
import { layout } from './view/layout.ts';
import { linksPanel } from './view/links.ts';
import { openPalette } from './view/palette.ts';
import { fileSheet, refusal } from './view/sheet.ts';
import { stageTools } from './view/tools.ts';

type Tab = Task | ArmTask;

const fileName = (path: string): string => path.split('/').pop() ?? path;

async function start(): Promise<void> {
  performance.mark('script');
  const source = pageSource();
  const boot = JSON.parse(document.getElementById('boot')?.textContent ?? '{}') as Boot;
  const asked = readAddress(new URLSearchParams(location.search).has('robot') ? location.search : (boot.search ?? location.search));
  const kept = recall('theme');
  const theme = asked.theme ?? (kept === 'light' || kept === 'dark' ? kept : matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  document.documentElement.dataset['theme'] = theme;

  const store = new Store({
    robot: null, arm: null, q: [], qd: [], qdd: [], cards: asked.cards ?? [newCard('mass_matrix'), newCard('gravity')], target: null, criterion: 'manipulability',
    scenario: asked.scenario ?? { drives: 'none', duration: 2, step: 0.001 }, task: asked.task ?? 'quantities', armTask: asked.armTask ?? 'modes', start: null, selected: null, hovered: null,
    shown: { tool: true, frames: 'off', com: false, inertia: false, ellipsoid: true, slice: false, shapes: true, ownColours: true }, edited: 'q', unit: recall('unit') === 'deg' ? 'deg' : 'rad', theme, time: null,
  });
  const engine = await loadEngine();
  performance.mark('engine');
  const jobs = new Jobs();
  const session = new Session(engine, jobs, store);
  const robots = engine.handle<{ name: string; dof: number }[]>('robots', {});
  const arms = engine.handle<{ name: string; links: number; modes: number }[]>('arms', {});
  const texts = new Map<string, Uint8Array>();
  /** What the address asks for but only another machine has. */
  let missing: RobotRequest | null = null;
  const root = document.getElementById('app') as HTMLElement;
  const voice = announcer();

  const putFile = (path: string, bytes: Uint8Array): void => {
    engine.putFile(path, bytes);
    jobs.putFile(path, bytes);
    texts.set(path, bytes);
  };
  const take = (files: Taken[]): void => {
    forgetDerivations();
    for (const { path, bytes } of files) putFile(path, bytes);
    for (const { path, kind } of files) if ((kind === 'robot' || kind === 'arm') && !top.files.includes(path)) top.files.push(path);
    const robot = mainRobot(files);
    const awaited = robot && missing !== null && fileName(missing.robot) === fileName(robot.path);
    if (robot && awaited && missing) session.open({ ...missing, robot: robot.path }, { q: asked.q, cards: store.now.cards, target: asked.target });
    else if (robot) session.open({ robot: robot.path });
    if (robot) missing = null;
    const bending = files.find((file) => file.kind === 'arm');
    if (bending) openArm(bending.path);
    for (const { path, bytes, kind } of files) if (kind === 'log') parameters.log(path, bytes);
  };
  const chooser = h('input', { type: 'file', multiple: true, class: 'hidden', onchange: () => {
    void readFiles([...(chooser.files ?? [])].map((file) => ({ path: file.name, file }))).then(take);
    chooser.value = '';
  } });
  const app: App = {
    store, session,
    say: voice.say,
    palette: (filter) => openPalette(app, filter, [...robots.map((one) => one.name), ...top.files.filter((path) => !isArm(path))], [...arms.map((one) => one.name), ...top.files.filter(isArm)], openArm),
    source: () => {
      const bytes = texts.get(store.now.robot?.robot ?? '');
      return bytes ? new TextDecoder().decode(bytes) : null;
    },
    showInFile: (line, column) => {
      const text = app.source();
      if (text !== null) fileSheet(stageView, store.now.robot?.robot ?? '', text, line, column);
    },
    take: (files) => void readFiles(files.map((file) => ({ path: file.name, file }))).then(take),
    chooseFiles: () => chooser.click(),
  };

  // Colours come first: everything that is built on a new robot reads them.
  const recolour = (): void => {
    themeChanged();
    publishJointColours(session.model);
  };
  store.on(['theme'], () => {
    document.documentElement.dataset['theme'] = store.now.theme;
    remember('theme', store.now.theme);
    recolour();
  });
  store.on(['unit'], () => remember('unit', store.now.unit));
  session.onRobot(recolour);

  const stageView = h('main', { class: 'stage', 'aria-label': '3-D view' });
  const stage = new Stage(session, store);
  const view = (): number[] | null => {
    if (!session.model) return null;
    const { azimuth, elevation, distance } = stage.camera.view;
    return [azimuth, elevation, distance / stage.size];
  };
  stage.meshes = async ({ uri, path }) => {
    const tail = (path ?? uri ?? '').replace(/^[a-z]+:\/\//, '');
    const kept = path === null ? undefined : texts.get(path);
    const dropped = kept ?? [...texts].find(([name]) => tail.endsWith(name) || name.endsWith(tail))?.[1];
    return dropped ?? (boot.served ? servedMesh(store.now.robot?.robot ?? '', uri ?? path ?? '') : null);
  };
  const empty = emptyStage(app);
  stageView.append(stage.canvas, stage.labels.element, ...stageTools(app, stage), empty.root);
  keepDescribed(stage.canvas, session, store);

  const player = new Player(store, session);
  const thumbnail = h('div', { class: 'thumb-host hidden', 'aria-label': '3-D view' });
  const parameters = parametersPanel(app, stage, { stage: stageView, thumbnail });
  const quantities = quantitiesPanel(app);
  const flexible = new FlexiblePanel(session);
  stageView.append(flexible.picture.root);
  const motion = motionPanel(app, stage, player);
  const panels: Record<Tab, HTMLElement> = { modes: flexible.modes, terms: flexible.terms.root, frequency: flexible.frequency, swing: flexible.motion.root, quantities: quantities.root, reach: reachPanel(app, stage), parameters: parameters.root, motion: motion.root };
  const what = emptyPanel();
  const panel = h('div', { class: 'panel', role: 'tabpanel' });
  const rigidTabs: [Tab, string][] = [['quantities', 'Quantities'], ['reach', 'Reach'], ['parameters', 'Parameters'], ['motion', 'Motion']];
  const armTabs: [Tab, string][] = [['modes', 'Modes'], ['terms', 'Quantities'], ['frequency', 'Frequency'], ['swing', 'Motion']];
  const tabs = h('div', { class: 'tabs', role: 'tablist' });
  const choose = (tab: Tab): void => {
    if (tab === 'modes' || tab === 'terms' || tab === 'frequency' || tab === 'swing') store.set({ armTask: tab });
    else store.set({ task: tab });
  };
  const showTask = (): void => {
    const { arm } = store.now;
    const now: Tab = arm === null ? store.now.task : store.now.armTask;
    fill(tabs, ...(arm === null ? rigidTabs : armTabs).map(([tab, text]) => h('button', { role: 'tab', type: 'button', 'data-task': tab, 'aria-selected': String(tab === now), onclick: () => choose(tab) }, text)));
    fill(panel, session.model || arm !== null ? panels[now] : what);
    if (now === 'frequency') flexible.showBode();
    if (now === 'modes') flexible.showMode();
    if (now === 'terms') flexible.showTerms();
    if (now === 'swing') flexible.motion.show();
  };
  store.on(['task', 'armTask'], showTask);
  /** A flexible arm takes stage and tabs; the robot that was there stays behind it. */
  const openArm = (name: string): boolean => {
    const problem = flexible.open(name);
    if (problem) {
      refusal(stageView, problem, null);
      return false;
    }
    store.set({ arm: name, armTask: store.now.arm === null ? store.now.armTask : 'modes' });
    return true;
  };
  /** After opening or undo: the arm, the robot, or neither. */
  const showWhat = (): void => {
    const { arm } = store.now;
    if (arm !== null && arm !== flexible.shown) flexible.open(arm);
    if (arm === null) flexible.close();
    const nothing = arm === null && session.model === null;
    empty.root.classList.toggle('hidden', !nothing);
    root.classList.toggle('no-left', arm !== null || session.model === null);
    if (arm !== null) root.classList.add('no-dock');
    stageView.querySelector('.sheet')?.remove();
    if (arm !== null) top.showArm(arm, flexible.summary);
    else top.showRobot();
    document.title = nothing ? 'jourdain studio' : `${arm ?? session.model?.scene.name} · jourdain studio`;
    showTask();
    if (arm !== null) document.documentElement.dataset['ready'] = 'true';
  };
  const isArm = (name: string): boolean => {
    const bytes = texts.get(name);
    return arms.some((one) => one.name === name) || (bytes !== undefined && kindOf(name, bytes) === 'arm');
  };
  session.onRobot(showWhat);
  store.on(['arm'], showWhat);

  let showHelp = (): void => {};
  const showFindings = (): void => {
    const found = session.model?.scene.findings ?? [];
    stageView.querySelector('.sheet')?.remove();
    const sheet = h('div', { class: 'sheet', role: 'dialog', 'aria-label': 'Findings' }, ...found.map((one) => findingCard(one, app)), h('div', { class: 'row', style: 'margin-top:10px' }, h('button', { class: 'btn line', type: 'button', onclick: () => sheet.remove() }, 'Close')));
    stageView.append(sheet);
  };
  const top = bar(app, { robots: () => robots, arms: () => arms, openArm, openFile: (path) => void (isArm(path) ? openArm(path) : session.open({ robot: path })), view, picture: () => stage.picture(), page: (search) => oneFile(source, search, texts), help: () => showHelp(), showFindings });
  root.append(
    top.root,
    h('aside', { class: 'left', 'aria-label': 'Joints and links' }, h('div', { class: 'scroll' }, jointsPanel(app), linksPanel(app)), thumbnail),
    stageView,
    h('aside', { class: 'right', 'aria-label': 'Results' }, grip(root), tabs, h('div', { class: 'busy-bar' }), panel),
    motionDock(app, player), voice.element, chooser,
  );
  root.classList.add('no-dock', 'no-left');
  layout(root);
  showTask();
  showHelp = keys(app, { stage, quantities, play: () => player.toggle(), step: (by) => player.step(by) });
  dropTarget((files) => void readFiles(files).then(take));
  session.refused = (problem, request) => {
    const bytes = texts.get(problem.file ?? request.robot);
    refusal(stageView, problem, bytes ? new TextDecoder().decode(bytes) : null);
  };

  performance.mark('views');
  for (const [path, base64] of Object.entries(boot.files ?? {})) putFile(path, Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)));
  if (boot.served) {
    // Text of robots and what they include; meshes are fetched when they are drawn.
    const wanted = (await servedFiles()).filter(({ path, kind }) => kind !== 'other' || /\.(xacro|urdf|xml|sdf|toml|json|ya?ml|csv)$/i.test(path));
    const contents = await Promise.all(wanted.map(({ path }) => servedFile(path)));
    wanted.forEach(({ path, kind }, i) => {
      const bytes = contents[i];
      if (bytes) putFile(path, bytes);
      if (bytes && (kind === 'robot' || kind === 'arm')) top.files.push(path);
    });
    watchServer((alive) => top.connected(alive));
  }
  const wanted: RobotRequest | null = asked.robot ?? (boot.robot ? { robot: boot.robot, ...boot.edits } : null);
  if (wanted && (isArm(wanted.robot) || (boot.kind === 'arm' && wanted.robot === boot.robot))) {
    openArm(wanted.robot);
    store.forget();
  } else if (wanted && /\.(?:urdf|xacro|xml|mjcf|sdf|toml|json)$/i.test(wanted.robot) && !texts.has(wanted.robot)) {
    missing = wanted;
    empty.askFor(fileName(wanted.robot));
  } else if (wanted && session.open(wanted, { q: asked.q, cards: store.now.cards, target: asked.target })) store.forget();
  if (asked.time !== null && session.model && store.now.task === 'motion') void motion.replay(asked.time);
  performance.mark('robot');
  const later = followAddress(store, view);
  stage.camera.controls.addEventListener('end', later);
  if (asked.view?.length === 3 && session.model) {
    const [azimuth = 0, elevation = 0, distance = 3] = asked.view;
    stage.camera.set({ azimuth, elevation, distance: distance * stage.size, preset: stage.camera.preset });
  }
  session.onNumbers(() => requestAnimationFrame(() => { document.documentElement.dataset['ready'] = 'true'; }));
}

void start();
