// Elements from a tag, attributes and children; the only way the page makes them, so that no text is ever read as markup.

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, string | number | boolean | null | undefined | ((event: never) => void)>;

/** `h('button', {class: 'btn', onclick: act}, 'Run')`; false, null and undefined leave an attribute or a child out. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/** The same for SVG. */
export function s(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value as EventListener);
    else if (name === 'style') (element as HTMLElement).style.cssText = String(value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** Replaces all children. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren();
  append(element, children);
}

/** Choices of which one is pressed. */
export function segmented<T extends string>(label: string, choices: readonly (readonly [T, string])[], now: T, act: (value: T) => void): HTMLElement {
  const group = h('div', { class: 'seg', role: 'group', 'aria-label': label });
  for (const [value, text] of choices) {
    group.append(h('button', {
      type: 'button',
      'data-choice': value,
      'aria-pressed': String(value === now),
      onclick: () => act(value),
    }, text));
  }
  return group;
}

/** Presses another choice of a segmented control. */
export function press(group: Element, value: string): void {
  for (const button of group.querySelectorAll('[data-choice]')) {
    button.setAttribute('aria-pressed', String(button.getAttribute('data-choice') === value));
  }
}
