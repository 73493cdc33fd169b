// Dropping: the whole window takes files, and says what it will do with them.

import { droppedFiles } from '../state/files.ts';
import { h } from './dom.ts';

export function dropTarget(take: (files: { path: string; file: File }[]) => void): void {
  const note = h('div', { class: 'drag-note' });
  let inside = 0;
  const end = (): void => {
    inside = 0;
    document.body.classList.remove('dragging');
    note.remove();
  };
  addEventListener('dragenter', (event) => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    inside += 1;
    const items = [...event.dataTransfer.items];
    note.textContent = items.some((one) => /csv|parquet/.test(one.type)) ? 'Identify with this log' : 'Open as robot';
    document.body.classList.add('dragging');
    document.body.append(note);
  });
  addEventListener('dragleave', () => {
    inside -= 1;
    if (inside <= 0) end();
  });
  addEventListener('dragover', (event) => event.preventDefault());
  addEventListener('drop', (event) => {
    event.preventDefault();
    end();
    if (event.dataTransfer) void droppedFiles(event.dataTransfer).then(take);
  });
}
