// What a command is given beside its arguments.

import type { Operations } from '../operations.js';
import type { Process } from './process.js';

/** What a command is given beside its arguments. */
export interface Context {
  readonly process: Process;
  /** Loads the operations; not every command needs them, and loading takes time. */
  readonly operations: () => Promise<Operations>;
}
