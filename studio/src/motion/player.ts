// Time: which motion is shown, where it is, whether it runs. Positions follow time and are not steps of undo.

import type { Session } from '../state/session.ts';
import type { Store } from '../state/store.ts';
import type { Motion } from './samples.ts';

export class Player {
  motion: Motion | null = null;
  playing = false;
  /** Seconds of the motion per second; infinite plays it in two seconds. */
  speed = 1;
  readonly changed: (() => void)[] = [];
  private last = 0;

  constructor(private readonly store: Store, private readonly session: Session) {
    session.onRobot(() => this.load(null));
    store.on(['time'], () => {
      // A slider that is moved ends the motion's hold on the joints.
      if (store.now.time === null && this.playing) this.pause();
      this.tell();
    });
  }

  get time(): number { return this.store.now.time ?? 0; }

  load(motion: Motion | null): void {
    this.motion = motion;
    this.playing = false;
    this.store.amend({ time: motion ? 0 : null });
    this.tell();
  }

  seek(time: number): void {
    if (!this.motion || !this.session.model) return;
    const t = Math.min(this.motion.duration, Math.max(0, time));
    this.store.amend({ time: t, q: this.motion.position(t), qd: this.motion.velocity(t) });
  }

  step(by: number): void {
    if (!this.motion) return;
    this.pause();
    const i = Math.min(this.motion.count - 1, Math.max(0, this.motion.index(this.time) + by));
    this.seek(this.motion.t[i] ?? 0);
  }

  toggle(): void {
    if (this.playing) this.pause();
    else this.play();
  }

  pause(): void {
    this.playing = false;
    this.tell();
  }

  private play(): void {
    if (!this.motion) return;
    if (this.time >= this.motion.duration - 1e-9) this.seek(0);
    this.playing = true;
    this.last = performance.now();
    const tick = (now: number): void => {
      if (!this.playing || !this.motion) return;
      const rate = Number.isFinite(this.speed) ? this.speed : this.motion.duration / 2;
      this.seek(this.time + ((now - this.last) / 1000) * rate);
      this.last = now;
      if (this.time >= this.motion.duration - 1e-9) return this.pause();
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    this.tell();
  }

  private tell(): void {
    for (const act of this.changed) act();
  }
}
