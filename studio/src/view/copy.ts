// Copying and saving. A button that has copied says so for a moment.

export async function copyText(text: string, button: HTMLElement | null): Promise<void> {
  await navigator.clipboard.writeText(text).catch(() => copyBySelection(text));
  if (button) flash(button, 'Copied');
}

/** Pages from disk have no clipboard in some browsers; a selected field always copies. */
function copyBySelection(text: string): void {
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}

function flash(button: HTMLElement, text: string): void {
  if (button.dataset['flash']) return;
  button.dataset['flash'] = 'on';
  const before = [...button.childNodes];
  button.style.minWidth = `${button.offsetWidth}px`;
  button.replaceChildren(text);
  setTimeout(() => {
    button.replaceChildren(...before);
    button.style.minWidth = '';
    delete button.dataset['flash'];
  }, 1200);
}

export function saveFile(name: string, content: BlobPart, type = 'text/plain'): void {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const anchor = document.createElement('a');
  anchor.href = address;
  anchor.download = name;
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
