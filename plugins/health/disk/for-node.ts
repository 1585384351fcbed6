import { pathsOption, type ForNode } from '../../../core/contract/for-node.js';

/** The directories in the file of a node. The raft WALs of an orderer need space for their next segments. */
export const forNode: ForNode = (node) => {
  const paths = pathsOption(node, ['ledger', 'snapshots', 'wal', 'snap', 'msp']);
  const wal = node.get<string>('wal');
  return paths && { ...paths, ...(wal.value !== '' && { wal }) };
};
