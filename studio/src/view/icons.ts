// Icons as strokes on a grid of 20, and the mark: the letter j as an arm.

import { s } from './dom.ts';

const paths = {
  undo: 'M5 7h7a4 4 0 0 1 0 8H8M5 7l3-3M5 7l3 3',
  redo: 'M15 7H8a4 4 0 0 0 0 8h4M15 7l-3-3M15 7l-3 3',
  link: 'M8 12l4-4M7 9l-2 2a2.8 2.8 0 0 0 4 4l2-2M9 7l2-2a2.8 2.8 0 0 1 4 4l-2 2',
  search: 'M13.2 9a4.2 4.2 0 1 1-8.4 0 4.2 4.2 0 0 1 8.4 0zM12.2 12.2L16 16',
  moon: 'M15 11.5A6 6 0 1 1 8.5 5a4.8 4.8 0 0 0 6.5 6.5z',
  help: 'M16.5 10a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0zM8.2 8.2a1.9 1.9 0 1 1 2.6 1.9c-.6.3-.8.6-.8 1.2M10 13.3v.1',
  check: 'M5 10.5l3.2 3.2L15 6.8',
  warning: 'M10 4l6.5 11.5h-13zM10 8.5v3.2M10 13.6v.1',
  error: 'M6 6l8 8M14 6l-8 8',
  down: 'M6 8l4 4 4-4',
  right: 'M8 6l4 4-4 4',
  plus: 'M10 5v10M5 10h10',
  copy: 'M9 7.5h5A1.5 1.5 0 0 1 15.5 9v5a1.5 1.5 0 0 1-1.5 1.5H9A1.5 1.5 0 0 1 7.5 14V9A1.5 1.5 0 0 1 9 7.5zM12.5 7.5v-2A1.5 1.5 0 0 0 11 4H6a1.5 1.5 0 0 0-1.5 1.5v5A1.5 1.5 0 0 0 6 12h1.5',
  more: 'M5 10h.1M10 10h.1M15 10h.1',
  dice: 'M6.5 4.5h7a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2h-7a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2zM8 8h.1M12 12h.1M12 8h.1M8 12h.1',
  home: 'M4.5 10L10 5l5.5 5M6.5 9v6h7V9',
  menu: 'M4 6h12M4 10h12M4 14h12',
  file: 'M6 3.5h5.5L15 7v9.5H6zM11.5 3.5V7H15',
  good: 'M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0zM6.8 10.3l2.2 2.2 4.2-4.6',
  play: 'M6.5 4.5v11l9-5.5z',
  pause: 'M7 5v10M13 5v10',
  close: 'M6 6l8 8M14 6l-8 8',
} as const;

export type Icon = keyof typeof paths;

export function icon(name: Icon, size = 18): SVGElement {
  return s('svg', {
    width: size, height: size, viewBox: '0 0 20 20', fill: 'none', stroke: 'currentColor',
    'stroke-width': name === 'more' ? 2.4 : 1.5, 'stroke-linecap': 'round', 'stroke-linejoin': 'round', 'aria-hidden': 'true',
  }, s('path', { d: paths[name], fill: name === 'play' ? 'currentColor' : 'none' }));
}

export function mark(size = 24): SVGElement {
  return s('svg', { width: size, height: size, viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    s('path', { d: 'M14.2 8.6 L14.2 15.4 a4.3 4.3 0 0 1 -7.6 2.7', fill: 'none', stroke: 'var(--ink)', 'stroke-width': 3.1, 'stroke-linecap': 'round' }),
    s('circle', { cx: 14.2, cy: 9, r: 2.75, fill: 'var(--surface)', stroke: 'var(--joint-1)', 'stroke-width': 1.9 }),
    s('circle', { cx: 6.7, cy: 18, r: 2.75, fill: 'var(--surface)', stroke: 'var(--joint-2)', 'stroke-width': 1.9 }),
    s('circle', { cx: 14.2, cy: 3.2, r: 1.75, fill: 'var(--ink)' }));
}
