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
  if (document.getElementById('engine')) return WebAssembly.compile(await engineBytes());
  return WebAssembly.compileStreaming(fetch(beside()));
}

/** The module's bytes, wherever it comes from. */
export async function engineBytes(): Promise<ArrayBuffer> {
  const inside = document.getElementById('engine')?.textContent;
  if (!inside) return (await fetch(beside())).arrayBuffer();
  const packed = Uint8Array.from(atob(inside.trim()), (c) => c.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

function beside(): string {
  const token = new URLSearchParams(location.search).get('token');
  return token === null ? 'engine.wasm' : `engine.wasm?token=${encodeURIComponent(token)}`;
}
