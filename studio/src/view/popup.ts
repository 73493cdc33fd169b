// A menu or a small form under a button; closes on Escape, on a click elsewhere, and after a choice.

import { h } from './dom.ts';

let open: { element: HTMLElement; owner: HTMLElement } | null = null;

export function closePopup(): void {
  open?.element.remove();
  open?.owner.setAttribute('aria-expanded', 'false');
  open = null;
}

export function popup(owner: HTMLElement, ...content: (HTMLElement | null)[]): void {
  const again = open?.owner === owner;
  closePopup();
  if (again) return;
  const box = owner.getBoundingClientRect();
  const element = h('div', { class: 'popup' }, ...content);
  document.body.append(element);
  const width = element.offsetWidth;
  element.style.left = `${Math.max(8, Math.min(box.left, innerWidth - width - 8))}px`;
  element.style.top = `${Math.min(box.bottom + 4, innerHeight - Math.min(element.offsetHeight, innerHeight * 0.7) - 8)}px`;
  owner.setAttribute('aria-expanded', 'true');
  open = { element, owner };
  element.querySelector<HTMLElement>('button, input')?.focus();
  element.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      closePopup();
      owner.focus();
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      const items = [...element.querySelectorAll<HTMLElement>('button, input')];
      items[items.indexOf(document.activeElement as HTMLElement) + step]?.focus();
      event.preventDefault();
      event.stopPropagation();
    }
  });
}

export function item(text: string, act: () => void, note = ''): HTMLElement {
  return h('button', {
    type: 'button',
    onclick: () => {
      closePopup();
      act();
    },
  }, text, note === '' ? null : h('span', { class: 'muted' }, note));
}

export const heading = (text: string): HTMLElement => h('h3', {}, text);

addEventListener('pointerdown', (event) => {
  if (open && !open.element.contains(event.target as Node) && !open.owner.contains(event.target as Node)) closePopup();
}, true);
