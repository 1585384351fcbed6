// What a command is given beside its arguments.

import type { Operations } from '../operations.js';
import type { Process } from './process.js';

/** How each operation is loaded: loading takes longer than most translations, and most commands need one operation. */
export type OperationLoaders = {
  readonly [Name in keyof Operations]: () => Promise<Operations[Name]>;
};

/** What a command is given beside its arguments. */
export interface Context {
  readonly process: Process;
  readonly load: OperationLoaders;
}
