import { pathsOption, type ForNode } from '../../../core/contract/for-node.js';

/** The directories that the file of a node names. */
export const forNode: ForNode = (node) => pathsOption(node, ['ledger', 'snapshots', 'wal', 'snap', 'msp']);
