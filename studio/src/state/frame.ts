// One update per frame: whatever changes says so, and everything is computed and drawn once before the next picture.

type Stage = 'compute' | 'draw';

const acts: Record<Stage, Set<() => void>> = { compute: new Set(), draw: new Set() };
let asked = false;

/** Runs `act` before the next picture: all of `compute`, then all of `draw`. Asking twice runs it once. */
export function beforeFrame(stage: Stage, act: () => void): void {
  acts[stage].add(act);
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    for (const stage of ['compute', 'draw'] as const) {
      const todo = [...acts[stage]];
      acts[stage].clear();
      for (const act of todo) act();
    }
  });
}
