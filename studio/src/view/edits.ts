// Edits of the robot: what each is called, how it is taken back, and the small form that makes them.

import type { RobotRequest } from '../engine/types.ts';
import { parseValue } from '../numbers/parse.ts';
import { h } from './dom.ts';
import { closePopup, heading, item, popup } from './popup.ts';
import type { App } from './app.ts';

type Key = 'lock' | 'payload' | 'only' | 'without' | 'floating' | 'fixed' | 'no_friction' | 'gravity';

const listed = { lock: 'locked', payload: 'payload', only: 'only', without: 'without' } as const;
const switched = { floating: 'floating base', fixed: 'fixed base', no_friction: 'no friction' } as const;

export function editTexts(request: RobotRequest): { text: string; key: Key; value: string | null }[] {
  const texts: { text: string; key: Key; value: string | null }[] = [];
  for (const key of Object.keys(listed) as (keyof typeof listed)[]) {
    for (const value of request[key] ?? []) texts.push({ text: `${listed[key]} ${value.replace('=', ' ')}`, key, value });
  }
  for (const key of Object.keys(switched) as (keyof typeof switched)[]) if (request[key]) texts.push({ text: switched[key], key, value: null });
  if (request.gravity) texts.push({ text: 'own gravity', key: 'gravity', value: null });
  return texts;
}

export function without(request: RobotRequest, key: Key, value: string | null): RobotRequest {
  const next: RobotRequest = { ...request };
  if (value !== null && (key === 'lock' || key === 'payload' || key === 'only' || key === 'without')) {
    const rest = (request[key] ?? []).filter((one) => one !== value);
    if (rest.length > 0) next[key] = rest;
    else delete next[key];
  } else {
    delete next[key];
  }
  return next;
}

/** The edits of a request as arguments of the command. */
export function editArguments(request: RobotRequest): string {
  const parts: string[] = [];
  for (const key of Object.keys(listed) as (keyof typeof listed)[]) for (const value of request[key] ?? []) parts.push(`--${key} ${value}`);
  for (const key of Object.keys(switched) as (keyof typeof switched)[]) if (request[key]) parts.push(`--${key.replace('_', '-')}`);
  if (request.gravity) parts.push(`--gravity ${request.gravity.join(',')}`);
  return parts.length > 0 ? ` ${parts.join(' ')}` : '';
}

export function editMenu(app: App, owner: HTMLElement): void {
  const { session, store } = app;
  const request = store.now.robot;
  const m = session.model;
  if (!request || !m) return;
  const selected = m.scene.links.findIndex((link) => link.name === store.now.selected);
  const joint = m.moving.find((one) => one.link === selected);
  const carrier = store.now.selected ?? m.scene.links[m.tool]?.name ?? '';
  const add = (key: 'lock' | 'payload' | 'only' | 'without', value: string): void => {
    session.edit({ ...request, [key]: [...(request[key] ?? []), value] });
  };
  const weight = h('input', { class: 'short', placeholder: '1 kg', 'aria-label': 'Payload in kilograms' });
  const down = h('input', { class: 'short', placeholder: 'x, y, z', 'aria-label': 'Gravity, m/s²', style: 'width:120px' });
  const form = (act: () => void, ...content: (HTMLElement | string)[]): HTMLElement => h('form', {
    style: 'display:flex;gap:8px;align-items:center;padding:4px 10px;font-size:12.5px',
    onsubmit: (event: Event) => {
      event.preventDefault();
      act();
    },
  }, ...content, h('button', { class: 'btn small line', type: 'submit', style: 'display:inline-flex;width:auto' }, 'Set'));
  popup(owner,
    heading('Edit the robot'),
    form(() => {
      const kg = parseValue(weight.value.replace(/kg$/i, ''));
      if (kg === null) return;
      closePopup();
      add('payload', `${carrier}=${kg}`);
    }, `Payload on ${carrier}`, weight),
    form(() => {
      const g = down.value.split(/[\s,]+/).map(Number);
      if (g.length !== 3 || !g.every(Number.isFinite)) return;
      closePopup();
      session.edit({ ...request, gravity: g });
    }, 'Gravity', down),
    joint ? item(`Lock ${joint.name} here`, () => add('lock', `${joint.name}=${store.now.q[joint.coordinate] ?? 0}`)) : null,
    selected >= 0 ? item(`Without ${store.now.selected}`, () => add('without', store.now.selected ?? '')) : null,
    request.floating ? null : item('Let the base float', () => session.edit({ ...request, floating: true })),
    item('Without friction', () => session.edit({ ...request, no_friction: true })));
}
