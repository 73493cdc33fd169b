// The engine: the library compiled to WebAssembly, called through its plain C interface.
//
// Trap: the module's memory may grow in any call, which detaches every array made from it before. Views are therefore made
// anew whenever the buffer has changed, and nothing outside this file keeps one across a call.

import { Problem, type Engine, type OpenRobot, type Plan, type PlanInput, type PlanOutput, type RobotRequest, type Samples, type Scene } from './types.ts';

interface Exports {
  memory: WebAssembly.Memory;
  alloc(length: number): number;
  free(pointer: number, length: number): void;
  free_result(pointer: number): void;
  samples(): number;
  get_file(name: number, length: number): number;
  handle(operation: number, operationLength: number, request: number, requestLength: number): number;
  put_file(name: number, nameLength: number, bytes: number, length: number): void;
  remove_files(): void;
  open(request: number, length: number): number;
  close(id: number): void;
  plan(id: number, names: number, length: number): number;
  run(plan: number): number;
  drop_plan(plan: number): void;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class WasmEngine implements Engine {
  private constructor(private readonly exports: Exports) {}

  static async start(module: WebAssembly.Module): Promise<WasmEngine> {
    const instance = await WebAssembly.instantiate(module, {});
    return new WasmEngine(instance.exports as unknown as Exports);
  }

  handle<T>(operation: string, request: object): T {
    const answer = this.call<{ report: T; exit: number }>(
      [encoder.encode(operation), encoder.encode(JSON.stringify(request))],
      (o, ol, r, rl) => this.exports.handle(o, ol, r, rl),
    );
    return answer.report;
  }

  putFile(name: string, bytes: Uint8Array): void {
    this.lend([encoder.encode(name), bytes], (n, nl, b, bl) => this.exports.put_file(n, nl, b, bl));
  }

  /** The bytes of a file that an operation has written. */
  getFile(name: string): Uint8Array<ArrayBuffer> {
    return this.lend([encoder.encode(name)], (n, nl) => this.take(this.exports.get_file(n, nl)));
  }

  /** The samples of the motion that the last operation gave, or null: names of the columns, and their numbers row by row. */
  samples(): Samples | null {
    const bytes = this.take(this.exports.samples());
    if (bytes.length < 8) return null;
    const [names = 0, count = 0] = new Uint32Array(bytes.buffer, 0, 2);
    const columns = JSON.parse(decoder.decode(bytes.subarray(8, 8 + names))) as string[];
    return { columns, rows: new Float64Array(bytes.buffer, 8 + names, count * columns.length) };
  }

  removeFiles(): void {
    this.exports.remove_files();
  }

  open(request: RobotRequest): OpenRobot {
    const { id, scene } = this.call<{ id: number; scene: Scene }>([encoder.encode(JSON.stringify(request))], (r, rl) => this.exports.open(r, rl));
    return { id, scene, plan: (names) => this.plan(id, names), close: () => this.exports.close(id) };
  }

  private plan(id: number, names: string[]): Plan {
    const made = this.call<{ plan: number; inputs: PlanInput[]; inputs_ptr: number; outputs: PlanOutput[]; outputs_ptr: number }>(
      [encoder.encode(JSON.stringify(names))],
      (n, nl) => this.exports.plan(id, n, nl),
    );
    const { exports } = this;
    const view = (pointer: number, offset: number, length: number) => new Float64Array(exports.memory.buffer, pointer + 8 * offset, length);
    return {
      outputs: made.outputs,
      input(name) {
        const found = made.inputs.find((i) => i.name === name);
        return found ? view(made.inputs_ptr, found.offset, found.length) : null;
      },
      output(name) {
        const found = made.outputs.find((o) => o.name === name);
        if (!found) throw new Error(`the plan has no output ${name}`);
        return view(made.outputs_ptr, found.offset, found.shape.reduce((a, b) => a * b, 1));
      },
      run: () => exports.run(made.plan) === 0,
      drop: () => exports.drop_plan(made.plan),
    };
  }

  /** Copies texts in, calls, and reads the JSON that comes back; a status other than zero is thrown as a problem. */
  private call<T>(texts: Uint8Array[], f: (...places: [number, number, number, number]) => number): T {
    return JSON.parse(decoder.decode(this.take(this.lend(texts, f)))) as T;
  }

  /** Copies a result out and gives it back; a problem is thrown. */
  private take(pointer: number): Uint8Array<ArrayBuffer> {
    const [status = 0, length = 0] = new Uint32Array(this.exports.memory.buffer, pointer, 2);
    const bytes = new Uint8Array(this.exports.memory.buffer, pointer + 8, length).slice() as Uint8Array<ArrayBuffer>;
    this.exports.free_result(pointer);
    if (status === 0) return bytes;
    const text = decoder.decode(bytes);
    const { error } = JSON.parse(text) as { error?: { kind: string; message: string; file?: string; line?: number; column?: number; hint?: string } };
    throw new Problem(error?.kind ?? 'internal', error?.message ?? text, error?.file ?? null, error?.line ?? null, error?.column ?? null, error?.hint ?? null);
  }

  private lend<R>(texts: Uint8Array[], f: (...places: [number, number, number, number]) => R): R {
    const places: number[] = [];
    for (const text of texts) {
      const pointer = this.exports.alloc(text.length);
      new Uint8Array(this.exports.memory.buffer, pointer, text.length).set(text);
      places.push(pointer, text.length);
    }
    try {
      return f(...(places as [number, number, number, number]));
    } finally {
      for (let i = 0; i < places.length; i += 2) this.exports.free(places[i] as number, places[i + 1] as number);
    }
  }
}
