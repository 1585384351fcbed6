// A node with the differences of the version that is to be started, and the directories of its ledger.

import { join } from 'node:path';
import type { Program } from 'fabric-ops-agent/translator/msp';
import {
  readNodeFile,
  type Environment,
  type NodeFile,
  type NodeValue,
  type NodeValues,
} from '../../../config/index.js';
import { programDecoders, type ProgramDecoders } from './decoders.js';

/**
 * Reads a node as a program reads it.
 *
 * @param cwd the directory that its program is started in
 * @param program the version that reads it
 */
export const readNodeFor = (
  node: NodeFile,
  variables: Environment,
  cwd: string,
  program: Program,
): NodeValues<ProgramDecoders> =>
  readNodeFile(node, variables, cwd, { decoders: programDecoders(node.kind, program) });

/** The directories of the channels' blocks and of each database of a node, below its ledger folder. */
interface LedgerPlaces {
  readonly root: NodeValue<string>;
  readonly chains: string;
  /** The databases that the program opens at the start. */
  readonly databases: readonly string[];
}

/** The directories of the ledger of a node. An orderer without `FileLedger.Location` uses the directory of its file. */
export function ledgerPlaces(node: NodeValues): LedgerPlaces {
  if (node.kind === 'orderer') {
    const root = node.path('FileLedger.Location', '.');
    return { root, chains: join(root.value, 'chains'), databases: [join(root.value, 'index')] };
  }
  const root = node.path('peer.fileSystemPath');
  const data = join(root.value, 'ledgersData');
  const names = ['ledgerProvider', 'chains/index', 'pvtdataStore', 'stateLeveldb', 'historyLeveldb'];
  const others = ['configHistory', 'bookkeeper', 'fileLock'];
  return {
    root,
    chains: join(data, 'chains/chains'),
    databases: [
      join(root.value, 'transientStoreFileLock'),
      ...[...names, ...others].map((name) => join(data, name)),
      join(root.value, 'transientstore'),
    ],
  };
}
