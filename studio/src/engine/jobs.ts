// Long operations, in a worker with an engine of its own, so that sliders and camera never wait.
//
// One operation runs at a time. A lane is a question that is asked again and again with other values, such as a target that
// is being dragged: of a lane only the newest question waits, older ones end as aborted. Cancelling ends the worker, which is the
// only way to stop WebAssembly, and starts another.

import { engineModule } from './load.ts';
import { Problem, type Outcome } from './types.ts';
import source from 'worker:./worker.ts';

interface Waiting {
  lane: string;
  operation: string;
  request: object;
  files: string[];
  resolve(value: unknown): void;
  reject(reason: unknown): void;
}

export interface WorkerAnswer {
  outcome?: Outcome<unknown>;
  error?: { kind: string; message: string; file: string | null; line: number | null; column: number | null; hint: string | null };
}

export class Jobs {
  private worker: Promise<Worker> | null = null;
  private readonly files = new Map<string, Uint8Array>();
  private readonly queue: Waiting[] = [];
  private running: Waiting | null = null;

  /** The report of an operation. Rejects with an `AbortError` if it was cancelled or a newer question of its lane came. */
  async run<T>(operation: string, request: object, lane = operation): Promise<T> {
    return (await this.outcome<T>(operation, request, [], lane)).report;
  }

  /** The report with the samples of a motion and the files of these names that the operation has written. */
  outcome<T>(operation: string, request: object, files: string[], lane = operation): Promise<Outcome<T>> {
    return new Promise<Outcome<T>>((resolve, reject) => {
      for (let i = this.queue.length - 1; i >= 0; i -= 1) {
        if (this.queue[i]?.lane === lane) this.queue.splice(i, 1)[0]?.reject(new DOMException('superseded', 'AbortError'));
      }
      this.queue.push({ lane, operation, request, files, resolve: resolve as (value: unknown) => void, reject });
      this.next();
    });
  }

  putFile(name: string, bytes: Uint8Array): void {
    this.files.set(name, bytes);
    void this.worker?.then((worker) => worker.postMessage({ file: { name, bytes } }));
  }

  /** Ends what is running in a lane. */
  cancel(lane: string): void {
    if (this.running?.lane !== lane) return;
    const stopped = this.running;
    this.running = null;
    void this.worker?.then((worker) => worker.terminate());
    this.worker = null;
    stopped.reject(new DOMException('cancelled', 'AbortError'));
    this.next();
  }

  private next(): void {
    if (this.running !== null) return;
    const job = this.queue.shift();
    if (job === undefined) return;
    this.running = job;
    this.worker ??= this.start();
    this.worker.then(
      (worker) => worker.postMessage({ operation: job.operation, request: job.request, files: job.files }),
      (reason: unknown) => this.settle(() => job.reject(reason)),
    );
  }

  private settle(act: () => void): void {
    this.running = null;
    act();
    this.next();
  }

  private async start(): Promise<Worker> {
    const module = await engineModule();
    const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })));
    worker.onmessage = (event: MessageEvent<WorkerAnswer>) => {
      const { outcome, error } = event.data;
      const job = this.running;
      this.settle(() => {
        if (error) job?.reject(new Problem(error.kind, error.message, error.file, error.line, error.column, error.hint));
        else job?.resolve(outcome);
      });
    };
    worker.postMessage({ module });
    for (const [name, bytes] of this.files) worker.postMessage({ file: { name, bytes } });
    return worker;
  }
}
