// Files that were dropped or chosen: what each is, and which of a folder is the robot. Content decides, not the name.

export type FileKind = 'robot' | 'arm' | 'log' | 'other';

export interface Taken { path: string; bytes: Uint8Array; kind: FileKind }

/** What a file is, from its first bytes. */
export function kindOf(path: string, bytes: Uint8Array): FileKind {
  if (startsWith(bytes, 'PAR1')) return 'log';
  if (/\.(stl|dae|obj|png|jpe?g|tga|mtl|bin|glb)$/i.test(path)) return 'other';
  const text = new TextDecoder().decode(bytes.subarray(0, 200_000));
  if (/<(?:robot|mujoco|sdf)[\s>]/.test(text)) return 'robot';
  if (/^\s*\[\[link\]\]/m.test(text) || /"link"\s*:\s*\[/.test(text)) return /^\s*(?:flexural_rigidity|EI|modes|kinematics)\s*=/m.test(text) || /"(?:EI|modes|kinematics)"\s*:/.test(text) ? 'arm' : 'robot';
  const first = text.split('\n', 1)[0] ?? '';
  if (/\.csv$/i.test(path) || /^[\w\s.:()/-]+(?:[,;\t][\w\s.:()/-]+){2,}$/.test(first)) return 'log';
  return 'other';
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return [...text].every((letter, i) => bytes[i] === letter.charCodeAt(0));
}

/** Of several robot files the one that no other includes; of several such, the shortest path. */
export function mainRobot(files: readonly Taken[]): Taken | null {
  const robots = files.filter((file) => file.kind === 'robot');
  const texts = robots.map((file) => new TextDecoder().decode(file.bytes));
  const included = robots.map((file, i) => texts.some((text, j) => j !== i && text.includes(file.path.split('/').pop() ?? '')));
  // A macro file alone describes nothing: it has macros but no links outside of them.
  const whole = texts.map((text) => /<link[\s>]/.test(text.replace(/<xacro:macro[\s\S]*?<\/xacro:macro>/g, '')) || /<xacro:include|<mujoco|<sdf|\[\[link\]\]|"link"/.test(text));
  const free = robots.filter((_, i) => !included[i] && whole[i]);
  const sorted = (free.length > 0 ? free : robots).toSorted((a, b) => a.path.split('/').length - b.path.split('/').length || a.path.length - b.path.length);
  return sorted[0] ?? null;
}

export async function readFiles(files: readonly { path: string; file: File }[]): Promise<Taken[]> {
  return Promise.all(files.map(async ({ path, file }) => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    return { path, bytes, kind: kindOf(path, bytes) };
  }));
}

/** All files of a drop, folders included, with their paths. */
export async function droppedFiles(transfer: DataTransfer): Promise<{ path: string; file: File }[]> {
  const entries = [...transfer.items].map((one) => one.webkitGetAsEntry?.() ?? null);
  const found: { path: string; file: File }[] = [];
  if (entries.every((entry) => entry === null)) return [...transfer.files].map((file) => ({ path: file.name, file }));
  for (const entry of entries) if (entry) await walk(entry, found);
  return found;
}

async function walk(entry: FileSystemEntry, found: { path: string; file: File }[]): Promise<void> {
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push({ path: entry.fullPath.replace(/^\//, ''), file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  // A reader gives at most a hundred entries at a time, and none when it has given all.
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const one of some) await walk(one, found);
  }
}
