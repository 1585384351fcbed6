// The history of a channel: one config block, the update that made it, and the changes.

import { is, requireTypes } from '../../proto/arguments.js';
import { readMessage } from '../../proto/typed.js';
import { CommonBlock, CommonEnvelope } from '../../proto/messages.js';
import {
  fingerprintOf,
  type Envelope,
  readConfigFile,
  readUpdateFile,
  type ConfigFile,
} from '../channel/index.js';
import { headerOf, summariseSigners, type SignerSummary } from './update.js';
import { describeDifference, type ElementDifference } from './changes.js';

/** One config block. Numbers are decimal texts, times are ISO 8601. The fields are stable: new ones may be added. */
export interface LogEntry {
  readonly block: string;
  /** The time in the header of the update; without it, the time of the block. Null if both are unknown. */
  readonly time: string | null;
  /** Of the update, see `fingerprintOf`; null for the first block. */
  readonly fingerprint: string | null;
  /** The signers of the update, in the order of the signatures. The orderers that made the block have verified them. */
  readonly signers: readonly SignerSummary[];
  /** The submitter of the update; null for the first block. */
  readonly submitter: SignerSummary | null;
  /** The changes since the config block before; null without that block. */
  readonly changes: readonly ElementDifference[] | null;
}

/**
 * Makes the entry of a config block.
 *
 * @param block a serialized `common.Block`
 * @param previous the config block before; undefined if it is unknown or does not exist
 * @throws TranslateError if a block is not a config block, or does not parse
 */
export async function logEntry(block: Uint8Array, previous: Uint8Array | undefined): Promise<LogEntry> {
  requireTypes({ block, previous }, { block: is.bytes, previous: is.optional(is.bytes) });
  const file = readConfigFile(block);
  const before = previous === undefined ? undefined : readConfigFile(previous);
  const changes = before === undefined ? null : await describeDifference(before.config, file.config);
  const common = { block: String(file.number ?? 0n), changes };
  const update = updateOf(file);
  if (update === undefined)
    return { ...common, time: timeOf(block), fingerprint: null, signers: [], submitter: null };
  const { header, signatures, submitter } = summariseSigners(update);
  return {
    ...common,
    time: header?.time ?? timeOf(block),
    fingerprint: fingerprintOf(update.update.bytes),
    signers: signatures,
    submitter: submitter ?? null,
  };
}

const updateOf = ({ lastUpdate }: ConfigFile): Envelope | undefined =>
  lastUpdate === undefined || lastUpdate.length === 0 ? undefined : readUpdateFile(lastUpdate);

/** The time of the envelope in a block. */
function timeOf(block: Uint8Array): string | null {
  const [envelope] = readMessage(CommonBlock, block).data?.data ?? [];
  if (envelope === undefined) return null;
  return headerOf(readMessage(CommonEnvelope, envelope).payload).time ?? null;
}
