// What this browser remembers: widths of the columns, theme, unit. A page from disk may have no storage; then nothing is kept.

const prefix = 'jourdain-studio:';

export function remember(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(prefix + key);
    else localStorage.setItem(prefix + key, value);
  } catch {
    // Storage is switched off: the page works without.
  }
}

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(prefix + key);
  } catch {
    return null;
  }
}
