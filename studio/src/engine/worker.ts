// The worker's side of `jobs.ts`: an engine that answers one operation after the other.

import { WasmEngine } from './wasm.ts';
import { Problem } from './types.ts';
import type { WorkerAnswer } from './jobs.ts';

interface Message {
  module?: WebAssembly.Module;
  file?: { name: string; bytes: Uint8Array };
  operation?: string;
  request?: object;
  files?: string[];
}

let engine: Promise<WasmEngine> | null = null;

self.onmessage = async (event: MessageEvent<Message>) => {
  const { module, file, operation, request, files } = event.data;
  if (module) engine = WasmEngine.start(module);
  if (engine === null) throw new Error('the worker was asked before it had its module');
  const ready = await engine;
  if (file) ready.putFile(file.name, file.bytes);
  if (operation !== undefined) postMessage(answer(ready, operation, request ?? {}, files ?? []));
};

function answer(ready: WasmEngine, operation: string, request: object, files: string[]): WorkerAnswer {
  try {
    const report = ready.handle(operation, request);
    return { outcome: { report, samples: ready.samples(), files: Object.fromEntries(files.map((name) => [name, ready.getFile(name)])) } };
  } catch (thrown) {
    if (thrown instanceof Problem) {
      const { kind, message, file, line, column, hint } = thrown;
      return { error: { kind, message, file, line, column, hint } };
    }
    return { error: { kind: 'internal', message: String(thrown), file: null, line: null, column: null, hint: null } };
  }
}
