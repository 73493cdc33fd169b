// The tab Parameters: what the torques depend on; with a log, what the robot really weighs and how well that predicts.

import { Problem, type RobotRequest } from '../engine/types.ts';
import { count, fixed, significant } from '../numbers/format.ts';
import { typeset } from '../quantities/typeset.ts';
import type { Stage } from '../scene/stage.ts';
import type { Model } from '../state/model.ts';
import type { App } from '../view/app.ts';
import { jointStyle } from '../view/colours.ts';
import { saveFile } from '../view/copy.ts';
import { fill, h } from '../view/dom.ts';
import { wasAborted, whileBusy } from '../view/busy.ts';
import { figureButton } from '../view/figure.ts';
import { icon } from '../view/icons.ts';
import type { PlotView } from '../view/plot.ts';
import { mappingCard, unknownColumns } from './mapping.ts';
import { predict, predictionPlots, readCsv } from './prediction.ts';

interface BaseParameters {
  count: number;
  parameters: { name: string; formula: string; latex: string; value: number }[];
  no_effect: string[];
  torques: number[];
  weak: string[];
}

interface Identified {
  count: number;
  samples: number;
  condition: number;
  parameters: { name: string; value: number; deviation: number; relative_deviation: number | null; prior: number }[];
  joints: { joint: string; relative_error: number; noise: number }[];
  logs: { file: string; lines: number; samples: number; filter: { cutoff_hz: number } | null }[];
  validation: { log: { file: string; samples: number; filter: { cutoff_hz: number } | null }; joints: { joint: string; relative_error: number }[] } | null;
  warnings: string[];
}

interface Excited { condition: number; random_condition: number; period: number; count: number; notices: string[] }

export interface ParametersPanel {
  root: HTMLElement;
  /** A log: the first is identified from, the second is for validation. */
  log(path: string, bytes: Uint8Array): void;
}

const robotFile = 'identified.toml';

export function parametersPanel(app: App, stage: Stage, places: { stage: HTMLElement; thumbnail: HTMLElement }): ParametersPanel {
  const { store, session } = app;
  const verdict = h('section', { class: 'card' });
  const table = h('section', { class: 'card' });
  const next = h('section', { class: 'card', style: 'border:0' });
  const root = h('div', {}, verdict, table, next);
  const figures = h('div', { class: 'figures hidden' });
  places.stage.append(figures);
  let logs: { path: string; bytes: Uint8Array }[] = [];
  let views: PlotView[] = [];
  let identified = false;

  /** Plots take the stage; the robot goes to the foot of the left column. */
  const arrange = (): void => {
    const full = identified && store.now.task === 'parameters';
    figures.classList.toggle('hidden', !full);
    places.thumbnail.classList.toggle('hidden', !full);
    const home = full ? places.thumbnail : places.stage;
    if (stage.canvas.parentElement !== home) home.prepend(stage.canvas, stage.labels.element);
    for (const tool of places.stage.querySelectorAll('.over')) tool.classList.toggle('covered', full);
  };

  const busy = <T>(lane: string, words: string, work: Promise<T>): Promise<T> => whileBusy(session.jobs, lane, words, root, work);
  const refuse = (host: HTMLElement) => (reason: unknown): void => {
    if (reason instanceof Problem) fill(host, h('div', { class: 'finding err' }, icon('error', 16), h('b', {}, reason.message), reason.hint ? h('p', {}, reason.hint) : null));
    else if (!wasAborted(reason)) throw reason;
  };

  function showBase(): void {
    const m = session.model;
    const { request } = session;
    if (!m || !request || store.now.task !== 'parameters' || identified) return;
    fill(verdict, h('div', { class: 'row', style: 'justify-content:space-between' }, h('span', {}, h('b', { style: 'font-weight:600' }, 'Drop a log'), h('br'), h('span', { class: 'muted sm' }, 'CSV with positions and torques. A second one is for validation.')),
      h('button', { class: 'btn line', type: 'button', onclick: () => app.chooseFiles() }, 'Choose…')));
    busy('base', 'Finding base parameters', session.jobs.run<BaseParameters>('base-parameters', request, 'base')).then((found) => {
      if (m === session.model && !identified) baseTable(m, found);
    }, refuse(table));
    fill(next, h('div', { class: 'card-head', style: 'margin-bottom:6px' }, h('span', { class: 'title' }, 'Before recording')), h('div', { class: 'row' }, planButton()));
  }

  function baseTable(m: Model, found: BaseParameters): void {
    const largest = Math.max(...found.torques, 1e-12);
    fill(table, h('div', { class: 'card-head' }, h('span', { class: 'title' }, `${found.count} base parameters`), h('span', { class: 'note' }, 'all that the torques depend on; bar: largest torque of each')),
      h('table', { class: 'numbers', 'data-testid': 'base-parameters' }, h('thead', {}, h('tr', {}, h('th', {}, 'relation'), h('th', {}, 'value'), h('th', {}, 'felt'))),
        h('tbody', {}, ...found.parameters.map((one, i) => h('tr', { style: jointStyle(jointOf(m, one.name)) },
          h('td', { style: 'max-width:300px;overflow-x:auto;scrollbar-width:none' }, h('i', { class: 'swatch' }), typeset(one.latex)), h('td', {}, significant(one.value, 4)),
          h('td', { title: `${significant(found.torques[i] ?? 0)} N m`, style: 'width:56px' }, h('i', { style: `display:block;height:6px;border-radius:2px;background:var(--c);width:${(100 * Math.sqrt((found.torques[i] ?? 0) / largest)).toFixed(1)}%` })))))),
      found.no_effect.length > 0 ? h('details', { class: 'parts' }, h('summary', {}, `${count(found.no_effect.length, 'parameter')} without effect`), h('p', { class: 'muted sm' }, found.no_effect.join(', '))) : null);
  }

  function planButton(): HTMLElement {
    const button = h('button', { class: 'btn line', type: 'button', onclick: () => {
      const { request } = session;
      if (!request) return;
      button.disabled = true;
      busy('excite', 'Looking for a motion', session.jobs.outcome<Excited>('excite', { ...request, out: 'excitation.csv' }, ['excitation.csv'], 'excite')).then(({ report, files }) => {
        const file = files['excitation.csv'];
        next.append(h('div', { class: 'verdict ok', style: 'margin-top:10px' }, icon('good', 22), h('b', {}, `A motion of ${significant(report.period)} s with condition ${significant(report.condition)}`),
          h('p', {}, `random motions within the same limits have ${significant(report.random_condition)}`), h('p', {}, file ? h('button', { class: 'btn line small', type: 'button', onclick: () => saveFile('excitation.csv', file, 'text/csv') }, 'Save CSV…') : null)));
      }, refuse(next)).finally(() => { button.disabled = false; });
    } }, 'Plan a better motion');
    return button;
  }

  function identify(): void {
    const m = session.model;
    const { request } = session;
    const data = logs[0];
    if (!m || !request || data === undefined) return;
    store.set({ task: 'parameters' });
    const validate = logs[1] === undefined ? {} : { validate: logs[1].path };
    busy('identify', 'Identifying', session.jobs.outcome<Identified>('identify', { ...request, data: [data.path], ...validate, out: robotFile }, [robotFile], 'identify')).then(({ report, files }) => {
      if (m !== session.model) return;
      identified = true;
      showVerdict(report);
      estimates(m, report);
      const robot = files[robotFile];
      if (robot) {
        session.engine.putFile(robotFile, robot);
        draw(m, request, report);
      }
      fill(next, h('div', { class: 'card-head', style: 'margin-bottom:6px' }, h('span', { class: 'title' }, 'Next')), h('div', { class: 'row' },
        robot ? h('button', { class: 'btn ink', type: 'button', onclick: () => saveFile(`${m.scene.name}_identified.toml`, robot) }, 'Save identified robot…') : null, planButton(),
        figureButton(session, () => `${m.scene.name}_identified`, 'identify', () => ({ ...request, data: [data.path], ...validate })),
        h('button', { class: 'btn', type: 'button', onclick: () => forget() }, 'Start over')));
      arrange();
      app.say(verdict.textContent ?? '');
    }, refuse(verdict));
  }

  /** Measured and predicted along the validation log, or along the only one. */
  function draw(m: Model, request: RobotRequest, report: Identified): void {
    const log = logs[1] ?? logs[0];
    if (!log) return;
    const cutoff = report.validation?.log.filter?.cutoff_hz ?? report.logs[0]?.filter?.cutoff_hz ?? null;
    const found = predict(session.engine, m, request, { robot: robotFile }, { bytes: log.bytes, cutoff });
    for (const view of views) view.destroy();
    views = [];
    const seen = report.validation?.joints ?? report.joints;
    const head = h('div', { style: 'margin-bottom:12px' }, h('b', { style: 'font-weight:640' }, report.validation ? `${m.scene.name} · validation on a motion the fit has not seen` : `${m.scene.name} · the log it was identified from`), h('br'),
      h('span', { class: 'muted xs' }, `${log.path} · dots: measured · predicted with ${report.count} identified parameters`));
    if (!found) return fill(figures, head, h('p', { class: 'muted' }, 'The page draws logs in CSV that are evenly spaced, with `t` and a position and a torque for every joint; `jourdain identify --plot` draws all.'));
    const made = predictionPlots(m, found, report.joints.map((joint, i) => ({ noise: joint.noise, error: seen[i]?.relative_error ?? 0 })), Math.max(320, places.stage.clientWidth - 44));
    views = made.views;
    fill(figures, head, made.root, h('p', { class: 'muted xs', style: 'text-align:right;margin:2px 70px' }, 'time (s)'));
  }

  function showVerdict(report: Identified): void {
    const seen = report.validation?.joints ?? report.joints;
    const worst = Math.max(...seen.map((joint) => joint.relative_error));
    const kind = worst < 0.05 ? 'ok' : worst < 0.2 ? 'warn' : 'err';
    const percent = `${significant(100 * worst, 2)} %`;
    const words = report.validation ? { ok: `Good: predicts an unseen motion to ${percent}`, warn: `Fair: predicts an unseen motion to ${percent}`, err: `Poor: an unseen motion is missed by ${percent}` } : { ok: `Good: meets its own log to ${percent}`, warn: `Fair: meets its own log to ${percent}`, err: `Poor: its own log is missed by ${percent}` };
    const list = seen.map((joint) => `${joint.joint} ${significant(100 * joint.relative_error, 3)} %`).join(', ');
    fill(verdict, h('div', { class: `verdict ${kind}`, 'data-testid': 'identification' }, icon(kind === 'ok' ? 'good' : kind === 'warn' ? 'warning' : 'error', 22), h('b', {}, words[kind]),
      h('p', {}, `error relative to the torque: ${list}.`, report.validation ? '' : ' Drop a second log to validate on a motion that the fit has not seen.')),
      h('div', { class: 'row', style: 'margin-top:10px' }, ...report.logs.map((log) => h('span', { class: 'chip' }, icon('file', 14), `${log.file} · ${log.samples} of ${log.lines} samples`)),
        report.validation ? h('span', { class: 'chip' }, icon('file', 14), `${report.validation.log.file} · ${report.validation.log.samples}, validation`) : null, h('span', { class: 'chip' }, `condition ${significant(report.condition, 2)}`)),
      ...report.warnings.map((text) => h('p', { class: 'muted xs', style: 'margin:8px 0 0' }, text)));
  }

  function estimates(m: Model, report: Identified): void {
    fill(table, h('div', { class: 'card-head' }, h('span', { class: 'title' }, 'Parameters'), h('span', { class: 'note' }, '±1σ, against the robot file')),
      h('table', { class: 'numbers' }, h('thead', {}, h('tr', {}, ...['name', 'estimate', '± σ', 'robot file', 'change'].map((text) => h('th', {}, text)))),
        h('tbody', {}, ...report.parameters.map((one) => {
          const poor = (one.relative_deviation ?? Infinity) > 0.3;
          const change = one.prior === 0 ? 'new' : `${one.value >= one.prior ? '+' : '−'}${fixed(Math.abs(100 * (one.value / one.prior - 1)), 1)} %`;
          return h('tr', { style: `${jointStyle(jointOf(m, one.name))}${poor ? ';color:var(--ink-3)' : ''}` }, h('td', {}, h('i', { class: 'swatch' }), parameterName(one.name)), h('td', { style: 'font-weight:540' }, fixed(one.value, 4)),
            h('td', { class: 'muted' }, fixed(one.deviation, 4)), h('td', { class: 'muted' }, one.prior === 0 ? '0' : fixed(one.prior, 3)), h('td', {}, poor ? h('span', { class: 'xs' }, '? close to zero') : change));
        }))));
  }

  function forget(): void {
    logs = [];
    identified = false;
    arrange();
    showBase();
  }

  session.onRobot(forget);
  store.on(['task'], () => {
    arrange();
    showBase();
  });
  return {
    root,
    log(path, bytes) {
      const m = session.model;
      const known = readCsv(bytes);
      const add = (understood: Uint8Array): void => {
        if (understood !== bytes) {
          session.engine.putFile(path, understood);
          session.jobs.putFile(path, understood);
        }
        logs = logs.length >= 2 ? [{ path, bytes: understood }] : [...logs, { path, bytes: understood }];
        identify();
      };
      if (!m || !known || unknownColumns(m, known).length === 0) return add(bytes);
      store.set({ task: 'parameters' });
      const ask = mappingCard(m, path, bytes, (understood) => {
        ask?.remove();
        add(understood);
      }, () => ask?.remove());
      if (ask) root.prepend(ask);
    },
  };
}

/** `mX_{R1}` as an element: letters, and what comes after them as an index. */
function parameterName(name: string): HTMLElement {
  const [, letters = name, index = ''] = /^([A-Za-z]+?)(R?\d+.*)$/.exec(name) ?? [];
  return h('span', {}, letters, h('sub', { style: 'font-size:10px' }, index));
}

/** The number in a parameter's name counts moving links; its colour is that joint's. */
function jointOf(m: Model, name: string): number {
  const number = Number(/(\d+)/.exec(name)?.[1] ?? 0);
  return m.moving[number - 1]?.index ?? -1;
}
