// Waits until enough orderers have the block with an update.

import { TranslateError } from '../../proto/errors.js';
import { sameBytes } from '../channel/bytes.js';
import { readConfigFile, type ConfigFile } from '../channel/file.js';
import type { ConfigUpdate } from '../channel/element.js';
import { verifyUpdate } from '../channel/verify.js';
import { reasonOf } from './heights.js';
import { fetchFrom, type Asking, type Network } from './network.js';
import type { Orderer } from './connection.js';
import { neededOf } from './orderers-of.js';
import { blockBytes, type StoredBlock } from '../ledger/stored-block.js';
import { headerBytes } from '../ledger/verify-block.js';
import { findUpdate } from './find-update.js';
import { pause, type Waiting } from './waiting.js';

/** Between two questions, in milliseconds. */
const ROUND = 300;
/** How long orderers that respond have after enough others have the block, in milliseconds. */
const GRACE = 5000;

/** The orderers of a channel, and who asks them. */
export interface Asked {
  readonly network: Network;
  readonly orderers: readonly Orderer[];
  readonly asking: Asking;
}

/** Where the block with an update is. */
export interface Delivered {
  readonly block: bigint;
  /** Addresses of the orderers that have it. */
  readonly at: readonly string[];
  /** The other orderers, and why they do not have it, or are not known to have it. */
  readonly behind: readonly { readonly address: string; readonly reason: string }[];
}

/**
 * Waits for the block with an update.
 *
 * @param before the newest config block when the update was sent
 * @throws TranslateError NOT_SEEN if the time is over, REFUSED if another update was accepted instead
 */
export async function awaitUpdate(
  update: ConfigUpdate,
  before: ConfigFile,
  asked: Asked,
  waiting: Waiting,
): Promise<Delivered> {
  const block = await awaitBlock(update, before.number ?? 0n, asked, waiting);
  const needed = neededOf(readConfigFile(blockBytes(block)).config, asked.orderers.length);
  let grace: number | undefined;
  for (;;) {
    const found = await Promise.all(asked.orderers.map((orderer) => stateOf(orderer, block, asked.asking)));
    const at = found.flatMap(({ address, reason }) => (reason === undefined ? [address] : []));
    const behind = found.flatMap(({ address, reason }) =>
      reason === undefined ? [] : [{ address, reason }],
    );
    waiting.report(`block ${block.number} is on ${at.length} of ${found.length} orderers`);
    if (at.length >= needed) grace ??= performance.now() + GRACE;
    const isLate = found.some(({ responds, reason }) => responds && reason !== undefined);
    const isEnough = grace !== undefined && (!isLate || performance.now() >= grace);
    if (isEnough) return { block: block.number, at, behind };
    if (waiting.isOver())
      throw new TranslateError(
        'NOT_SEEN',
        `block ${block.number} has the update, but is on ${at.length} of ${found.length} orderers only, ${needed} are needed: ${behind.map(({ address, reason }) => `${address}: ${reason}`).join('; ')}`,
      );
    await pause(ROUND, waiting);
  }
}

async function awaitBlock(
  update: ConfigUpdate,
  after: bigint,
  { network }: Asked,
  waiting: Waiting,
): Promise<StoredBlock> {
  for (;;) {
    let reason = 'no orderer has a block with it';
    try {
      const { block, newest } = await findUpdate(network, update.bytes, after);
      if (block !== undefined) return block;
      if (newest.number > after) checkNotReplaced(update, newest);
    } catch (error) {
      // While orderers elect a leader they do not respond.
      if (!(error instanceof TranslateError) || error.code !== 'UNREACHABLE') throw error;
      reason = error.message;
    }
    if (waiting.isOver()) throw new TranslateError('NOT_SEEN', reason);
    await pause(ROUND, waiting);
  }
}

/** @throws TranslateError REFUSED if the config has another update of the same elements */
function checkNotReplaced(update: ConfigUpdate, newest: StoredBlock): void {
  const { elements } = verifyUpdate(update, readConfigFile(blockBytes(newest)).config);
  const other = elements.find(({ presence }) => presence === 'other' || presence === 'changed-since');
  if (other !== undefined)
    throw new TranslateError(
      'REFUSED',
      `another update was accepted first: block ${newest.number} changed ${other.path}; make the update anew with configtxlator rebase`,
    );
}

interface OrdererState {
  readonly address: string;
  /** Why it does not have the block; undefined if it has. */
  readonly reason: string | undefined;
  readonly responds: boolean;
}

/** Whether an orderer has a block. */
async function stateOf(orderer: Orderer, block: StoredBlock, asking: Asking): Promise<OrdererState> {
  const { address } = orderer;
  try {
    const found = await fetchFrom(orderer, asking, block.number);
    const isSame = sameBytes(headerBytes(found), headerBytes(block));
    const reason = isSame ? undefined : `its block ${block.number} is another one`;
    return { address, reason, responds: true };
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    return { address, reason: reasonOf(address, error), responds: error.code === 'REFUSED' };
  }
}
