// What every part of the page is given.

import type { Session } from '../state/session.ts';
import type { Store } from '../state/store.ts';

export interface App {
  store: Store;
  session: Session;
  /** Tells a screen reader, once the present act has ended. */
  say(text: string): void;
  /** Opens the palette, filtered to quantities if asked. */
  palette(filter: 'all' | 'quantities'): void;
  /** Opens files that were dropped or chosen. */
  take(files: File[]): void;
  chooseFiles(): void;
  /** The text of the robot's file, if the page has it. */
  source(): string | null;
  /** Shows that file at a place. */
  showInFile(line: number, column: number | null): void;
}
