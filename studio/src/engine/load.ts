// Where the WebAssembly module comes from: inside the page (an exported file), or beside it.

import { WasmEngine } from './wasm.ts';
import type { Engine } from './types.ts';

let compiled: Promise<WebAssembly.Module> | null = null;

/** The compiled module, once; the worker gets the same one. */
export function engineModule(): Promise<WebAssembly.Module> {
  compiled ??= compile();
  return compiled;
}

export async function loadEngine(): Promise<Engine> {
  return WasmEngine.start(await engineModule());
}

async function compile(): Promise<WebAssembly.Module> {
  const inside = document.getElementById('engine')?.textContent;
  if (inside) {
    const packed = Uint8Array.from(atob(inside.trim()), (c) => c.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
    return WebAssembly.compile(await new Response(stream).arrayBuffer());
  }
  const token = new URLSearchParams(location.search).get('token');
  return WebAssembly.compileStreaming(fetch(token === null ? 'engine.wasm' : `engine.wasm?token=${encodeURIComponent(token)}`));
}
