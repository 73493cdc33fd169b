// Derived sources, asked of the worker once per robot, quantity, form and language.

import type { Jobs } from '../engine/jobs.ts';
import type { RobotRequest } from '../engine/types.ts';
import type { Form, Language } from '../state/store.ts';

export interface Operations { mul: number; add: number; div: number; sqrt: number; sincos: number }

export interface Derivation {
  sources: Record<string, string>;
  operations: Operations;
}

interface Report { quantities: Record<string, { operations: Operations }>; sources: Record<string, string> }

const kept = new Map<string, Promise<Derivation>>();

export function derive(jobs: Jobs, robot: RobotRequest, quantity: string, target: Language | 'latex', form: Form): Promise<Derivation> {
  const request = { ...robot, quantity: [quantity], target, parameters: form };
  const key = JSON.stringify(request);
  let found = kept.get(key);
  if (!found) {
    found = jobs.run<Report>('derive', request, key).then((report) => ({
      sources: report.sources,
      operations: Object.values(report.quantities)[0]?.operations ?? { mul: 0, add: 0, div: 0, sqrt: 0, sincos: 0 },
    }));
    kept.set(key, found);
    found.catch(() => kept.delete(key));
  }
  return found;
}

/** A file that was dropped again may have another content: forget what was derived from the former. */
export function forgetDerivations(): void {
  kept.clear();
}

/** `205 × · 176 + · 6 sin cos`. */
export function operationText({ mul, add, div, sqrt, sincos }: Operations): string {
  return [mul > 0 && `${mul} ×`, add > 0 && `${add} +`, div > 0 && `${div} ÷`, sqrt > 0 && `${sqrt} √`, sincos > 0 && `${sincos} sin cos`].filter(Boolean).join(' · ') || 'constant';
}
