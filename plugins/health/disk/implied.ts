import type { ImpliedPlugin } from '../../../core/contract/implied.js';
import { pathsOption } from '../../../core/kit/node-paths.js';

/** The directories that the file of a node names. */
export const disk: ImpliedPlugin = {
  beside: (node) => pathsOption(node, ['ledger', 'snapshots', 'wal', 'snap', 'msp']),
};
