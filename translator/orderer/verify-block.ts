// Checks whether a block was made by the orderers of its channel: its data, its place in the chain, and the signatures of orderers
// (Fabric: protoutil/blockutils.go, `BlockSignatureVerifier`).

import { concatBytes, sameBytes, NO_BYTES } from '../../proto/bytes.js';
import { TranslateError, attempt } from '../../proto/errors.js';
import {
  CommonIdentifierHeader,
  CommonMetadata,
  CommonSignatureHeader,
  MspSerializedIdentity,
  type CommonMetadataSignature,
} from '../../proto/messages.js';
import { readMessage, writeMessage } from '../../proto/typed.js';
import { type Config, readConfigFile, type ConfigFile, type Channel } from '../channel/index.js';
import {
  blockBytes,
  blockHash,
  channelNameOf,
  hasItsData,
  headerBytes,
  isConfigBlock,
  lastConfigOf,
  type Position,
  type StoredBlock,
} from '../ledger/index.js';
import { type Identity, type MspManager, verifySignature } from '../msp/index.js';
import { SignerList, Evaluation, findPolicy } from '../policy/index.js';
import type { ChannelState } from '../state/index.js';
import { BLOCK_VALIDATION, type ConfigSetups } from './config-setups.js';

const SIGNATURES = 0;

/** Checks the data of a block against the hash in its header. @throws TranslateError BAD_BLOCK */
export function checkData(block: StoredBlock): void {
  if (!hasItsData(block)) throw badBlock(block, 'its data do not match the hash in its header');
}

/** Checks that a block follows another one. @throws TranslateError BAD_BLOCK */
export function checkChain(previous: StoredBlock, block: StoredBlock): void {
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
export function checkSequence(block: StoredBlock, file: ConfigFile, before: Config | undefined): void {
  const expected = before === undefined ? firstSequence(file) : before.sequence + 1n;
  const { sequence } = file.config;
  if (sequence !== expected)
    throw badBlock(block, `the sequence of its config is ${sequence}, not ${expected}`);
}

const firstSequence = ({ lastUpdate }: ConfigFile): bigint =>
  lastUpdate === undefined || lastUpdate.length === 0 ? 0n : 1n;

/**
 * Checks the signatures of orderers on a block.
 *
 * @param before the config of the channel before the block
 * @throws TranslateError BAD_BLOCK if they do not satisfy BlockValidation
 */
async function checkSignatures(block: StoredBlock, { policies, msps, channel }: ChannelState): Promise<void> {
  const policy = findPolicy(policies.root, BLOCK_VALIDATION);
  if (policy === undefined) throw badBlock(block, `the channel has no policy ${BLOCK_VALIDATION}`);
  const { value, signatures } = readMessage(CommonMetadata, block.metadata[SIGNATURES] ?? NO_BYTES);
  const header = headerBytes(block);
  const { manager } = await msps;
  const signers: Identity[] = [];
  for (const signature of signatures) {
    const identity = await signerOf(signature, value, header, channel, manager);
    if (identity !== undefined) signers.push(identity);
  }
  if (new Evaluation(new SignerList(signers)).satisfied(policy)) return;
  throw badBlock(
    block,
    `${signers.length} of its ${signatures.length} signatures are valid, which does not satisfy ${BLOCK_VALIDATION}`,
  );
}

/** The identity of a valid signature. With BFT the signature names the consenter by its id. */
async function signerOf(
  { signatureHeader, identifierHeader, signature }: CommonMetadataSignature,
  value: Uint8Array,
  header: Uint8Array,
  channel: Channel,
  manager: MspManager,
): Promise<Identity | undefined> {
  const isBft = signatureHeader.length === 0;
  const own = isBft ? identifierHeader : signatureHeader;
  const verify = async (): Promise<Identity | undefined> => {
    const creator = isBft ? consenterOf(own, channel) : readMessage(CommonSignatureHeader, own).creator;
    if (creator === undefined) return undefined;
    const identity = await manager.identity(creator);
    const message = concatBytes(value, concatBytes(own, header));
    return (await verifySignature(identity, message, signature)) === undefined ? identity : undefined;
  };
  return attempt(verify, () => undefined);
}

/** The serialized identity of the consenter with the id in a signature. */
function consenterOf(header: Uint8Array, { orderer }: Channel): Uint8Array | undefined {
  const { identifier } = readMessage(CommonIdentifierHeader, header);
  const consenter = orderer.consenters.find(({ id }) => id === identifier);
  if (consenter?.identity === undefined) return undefined;
  return writeMessage(MspSerializedIdentity, { mspid: consenter.mspId, idBytes: consenter.identity });
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
