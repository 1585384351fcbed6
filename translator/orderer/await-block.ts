// Waits until enough orderers have the block with an update.

import { onAbort } from '../../core/common/flow/on-abort.js';
import { TranslateError, attempt } from '../../proto/errors.js';
import { sameBytes } from '../../proto/bytes.js';
import {
  readConfigFile,
  readUpdateFile,
  type ConfigFile,
  type ConfigUpdate,
  verifyUpdate,
} from '../channel/index.js';
import { blockBytes, headerBytes, type StoredBlock } from '../ledger/index.js';
import type { Orderer } from './connection.js';
import type { BlockRequests } from './fetch.js';
import { neededOf } from './orderers-of.js';

/** The pause between two rounds, in milliseconds. */
const ROUND = 300;
/** The time for slower orderers after enough orderers have the block, in milliseconds. */
const GRACE = 5000;

/** The config blocks of a network, newest first. */
export interface Configs {
  configs(): AsyncIterable<StoredBlock>;
}

/** The orderers of a channel, and the requests of the identity that asks them. */
interface Asked {
  readonly network: Configs;
  readonly orderers: readonly Orderer[];
  readonly requests: BlockRequests;
}

/** The result of waiting for the block with an update. */
export interface Delivered {
  readonly block: bigint;
  /** Addresses of the orderers that have it. */
  readonly at: readonly string[];
  /** The other orderers, with the reason why they do not have it or could not be asked. */
  readonly behind: readonly { readonly address: string; readonly reason: string }[];
}

/**
 * Waits for the block with an update.
 *
 * @param before the newest config block when the update was sent
 * @throws TranslateError NOT_SEEN after the time limit, REFUSED if another update was accepted instead
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
    const found = await Promise.all(asked.orderers.map((orderer) => stateOf(orderer, block, asked.requests)));
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

/** @throws TranslateError NOT_SEEN with the last error of the orderers, or REFUSED as `checkNotReplaced` */
async function awaitBlock(
  update: ConfigUpdate,
  after: bigint,
  { network }: Asked,
  waiting: Waiting,
): Promise<StoredBlock> {
  for (;;) {
    // Orderers do not respond during an election; the only one that responds may be behind; a new config may forbid the signer to read it.
    const found = await attempt(
      async () => findUpdate(network, update.bytes, after),
      ({ message }) => message,
    );
    let reason = 'no orderer has a block with the update';
    if (typeof found === 'string') {
      reason = found;
      waiting.report(reason);
    } else {
      if (found.block !== undefined) return found.block;
      if (found.newest.number > after) checkNotReplaced(update, found.newest);
    }
    if (waiting.isOver()) throw new TranslateError('NOT_SEEN', reason);
    await pause(ROUND, waiting);
  }
}

/** @throws TranslateError REFUSED if the config contains another update of the same elements */
function checkNotReplaced(update: ConfigUpdate, newest: StoredBlock): void {
  const { elements } = verifyUpdate(update, readConfigFile(blockBytes(newest)).config);
  const other = elements.find(({ presence }) => presence === 'other' || presence === 'changed-since');
  if (other !== undefined)
    throw new TranslateError(
      'REFUSED',
      `another update was accepted first: block ${newest.number} changed ${other.path}; update this one with configtxlator rebase`,
    );
}

interface OrdererState {
  readonly address: string;
  /** The reason why it does not have the block; undefined if it has it. */
  readonly reason: string | undefined;
  readonly responds: boolean;
}

async function stateOf(orderer: Orderer, block: StoredBlock, requests: BlockRequests): Promise<OrdererState> {
  const { address } = orderer;
  return attempt(
    async (): Promise<OrdererState> => {
      const found = await requests.fetch(orderer, block.number);
      const isSame = sameBytes(headerBytes(found), headerBytes(block));
      const reason = isSame ? undefined : `its block ${block.number} is different`;
      return { address, reason, responds: true };
    },
    ({ code, message }): OrdererState => ({ address, reason: message, responds: code === 'REFUSED' }),
  );
}

/** The config blocks after a known one. */
export interface FoundUpdate {
  /** The block with the update; undefined if there is none. */
  readonly block: StoredBlock | undefined;
  /** The newest config block. */
  readonly newest: StoredBlock;
}

/**
 * Reads the config blocks after a known one, verified as by `Network`.
 *
 * @param update a serialized `common.ConfigUpdate`
 * @param after the number of the known block
 */
export async function findUpdate(network: Configs, update: Uint8Array, after: bigint): Promise<FoundUpdate> {
  let newest: StoredBlock | undefined;
  for await (const block of network.configs()) {
    newest ??= block;
    if (block.number <= after) break;
    const { lastUpdate } = readConfigFile(blockBytes(block));
    if (lastUpdate !== undefined && sameBytes(readUpdateFile(lastUpdate).update.bytes, update))
      return { block, newest };
  }
  return { block: undefined, newest: newest! };
}

/** The remaining time of a command. */
export class Waiting {
  readonly signal: AbortSignal;
  readonly #seconds: number;
  readonly #end: number;
  readonly #report: (text: string) => void;
  #last: string | undefined;

  /**
   * @param signal ends the wait early
   * @param report is called with each step, as a text without a newline
   */
  constructor(seconds: number, signal: AbortSignal, report: (text: string) => void) {
    this.#seconds = seconds;
    this.signal = signal;
    this.#end = performance.now() + seconds * 1000;
    this.#report = report;
  }

  isOver(): boolean {
    return this.signal.aborted || performance.now() >= this.#end;
  }

  /** The reason for the end, after a comma or a parenthesis. */
  get end(): string {
    return this.signal.aborted ? 'interrupted' : `not within ${this.#seconds} s`;
  }

  /** Reports a step, unless it equals the previous one. */
  report(text: string): void {
    if (text === this.#last) return;
    this.#last = text;
    this.#report(text);
  }
}

/** Waits some milliseconds, or until the command is interrupted. */
export const pause = (milliseconds: number, { signal }: Waiting): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => {
      stopListening();
      resolve();
    }, milliseconds);
    const stopListening = onAbort(signal, () => {
      clearTimeout(timer);
      resolve();
    });
  });
