// Checks whether a block was made by the orderers of its channel: its data, its place in the chain, and the signatures of orderers
// (Fabric: protoutil/blockutils.go, `BlockSignatureVerifier`).

import { sameBytes } from '../../proto/bytes.js';
import { TranslateError } from '../../proto/errors.js';
import { type Config, readConfigFile, type ConfigFile } from '../channel/index.js';
import {
  blockBytes,
  blockHash,
  channelNameOf,
  hasItsData,
  isConfigBlock,
  lastConfigOf,
  signatureFault,
  type Position,
  type StoredBlock,
} from '../ledger/index.js';
import type { ChannelState } from '../state/index.js';
import type { ConfigSetups } from './config-setups.js';

/** Checks the data of a block against the hash in its header. @throws TranslateError BAD_BLOCK */
export function checkData(block: StoredBlock): void {
  if (!hasItsData(block)) throw badBlock(block, 'its data do not match the hash in its header');
}

/** Checks that a block follows another one. @throws TranslateError BAD_BLOCK */
function checkChain(previous: StoredBlock, block: StoredBlock): void {
  if (block.number !== previous.number + 1n || !sameBytes(blockHash(previous), block.previousHash))
    throw badBlock(block, `it does not follow block ${previous.number}`);
}

/** Checks the channel of a block. @throws TranslateError BAD_BLOCK */
export function checkChannel(block: StoredBlock, channel: string): void {
  const found = channelNameOf(block);
  if (found !== channel)
    throw badBlock(block, `it is of the channel ${JSON.stringify(found)}, not of ${JSON.stringify(channel)}`);
}

/**
 * Checks the sequence of the config in a config block. In block 0 it is 0, or 1 if a system channel of Fabric before 3.0 has made the
 * block from an update; each update adds 1 (Fabric: common/configtx/validator.go, `ProposeConfigUpdate`;
 * orderer/common/msgprocessor/systemchannel.go).
 *
 * @param file the config block
 * @param before the config before it; undefined for block 0
 * @throws TranslateError BAD_BLOCK
 */
function checkSequence(block: StoredBlock, file: ConfigFile, before: Config | undefined): void {
  const expected = before === undefined ? firstSequence(file) : before.sequence + 1n;
  const { sequence } = file.config;
  if (sequence !== expected)
    throw badBlock(block, `the sequence of its config is ${sequence}, not ${expected}`);
}

const firstSequence = ({ lastUpdate }: ConfigFile): bigint =>
  lastUpdate === undefined || lastUpdate.length === 0 ? 0n : 1n;

/** Checks the signatures of orderers. @param before the channel before the block @throws TranslateError BAD_BLOCK if they do not satisfy BlockValidation */
async function checkSignatures(block: StoredBlock, before: ChannelState): Promise<void> {
  const fault = await signatureFault(block, before);
  if (fault !== undefined) throw badBlock(block, fault);
}

/** Fetches a block and checks only its data and its channel. */
export type Fetch = (position: Position) => Promise<StoredBlock>;

/**
 * Verifies a config block with the config block before it, and returns the latter. The block must follow the previous block, its sequence
 * the previous config, and its signatures must satisfy that config. Block 0 is not signed, so only its sequence is checked.
 *
 * @returns undefined for block 0
 * @throws TranslateError BAD_BLOCK, or errors of `fetch`
 */
export async function verifiedBefore(
  block: StoredBlock,
  fetch: Fetch,
  setups: ConfigSetups,
): Promise<StoredBlock | undefined> {
  const file = readConfigFile(blockBytes(block));
  if (block.number === 0n) {
    checkSequence(block, file, undefined);
    return undefined;
  }
  const previous = await fetch(block.number - 1n);
  checkChain(previous, block);
  const before = isConfigBlock(previous) ? previous : await fetch(checkedLastConfig(previous));
  const config = configIn(before);
  checkSequence(block, file, config);
  await checkSignatures(block, setups.of(before, config));
  return before;
}

/** Verifies a block without a config, with the newest config when it was made. @throws TranslateError BAD_BLOCK */
export async function verifyData(
  block: StoredBlock,
  config: StoredBlock,
  setups: ConfigSetups,
): Promise<void> {
  const number = checkedLastConfig(block);
  if (number !== config.number)
    throw badBlock(block, `it names block ${number} as its config block, but that is block ${config.number}`);
  await checkSignatures(block, setups.of(config, configIn(config)));
}

/** The number of the newest config block when a block was made. @throws TranslateError BAD_BLOCK if such a block cannot exist */
export function checkedLastConfig(block: StoredBlock): bigint {
  const number = lastConfigOf(block);
  if (number > block.number || (number === block.number && !isConfigBlock(block)))
    throw badBlock(block, `it names block ${number} as its config block`);
  return number;
}

/** @throws TranslateError BAD_BLOCK if it is not a config block, or if it is block 0 of a channel with a history */
function configIn(block: StoredBlock): Config {
  if (!isConfigBlock(block))
    throw badBlock(block, 'it is not a config block, although a later block names it');
  const file = readConfigFile(blockBytes(block));
  if (block.number === 0n) checkSequence(block, file, undefined);
  return file.config;
}

/** The error for a block that fails a check. */
export const badBlock = ({ number }: StoredBlock, reason: string): TranslateError =>
  new TranslateError('BAD_BLOCK', `block ${number} is not used: ${reason}`);
