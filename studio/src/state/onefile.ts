// The page as one file that can be sent: its own source with the engine, the files that were dropped and the present view inside.

import { engineBytes } from '../engine/load.ts';
import type { RobotRequest } from '../engine/types.ts';

/** What the server or the export says to the page. */
export interface Boot {
  robot?: string | null;
  /** What `robot` is. */
  kind?: 'robot' | 'arm';
  /** The fields of its request beside `robot`. */
  edits?: Omit<RobotRequest, 'robot'>;
  served?: boolean;
  /** Contents by path, base64. */
  files?: Record<string, string>;
  /** The view, as in an address. */
  search?: string;
}

/** Taken before anything is built: afterwards the document is no longer its source. */
export function pageSource(): string {
  return `<!doctype html>\n${document.documentElement.outerHTML}`;
}

export async function oneFile(source: string, search: string, files: ReadonlyMap<string, Uint8Array>): Promise<string> {
  const boot: Boot = { served: false, search, files: Object.fromEntries([...files].map(([path, bytes]) => [path, base64(bytes)])) };
  const packed = await new Response(new Blob([await engineBytes()]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
  const head = `<script id="boot" type="application/json">${JSON.stringify(boot).replace(/</g, '\\u003c')}</script><script id="engine" type="text/plain">${base64(new Uint8Array(packed))}</script>`;
  const bare = source.replace(/<script id="(?:boot|engine)"[^>]*>[^<]*<\/script>/g, '').replace('<!--boot-->', '');
  return bare.replace('</title>', () => `</title>${head}`);
}

function base64(bytes: Uint8Array): string {
  let text = '';
  // In parts: a call takes only so many arguments.
  for (let i = 0; i < bytes.length; i += 32768) text += String.fromCharCode(...bytes.subarray(i, i + 32768));
  return btoa(text);
}
