// Whether a block is what the orderers of its channel have made: its data, its place in the chain, and the signatures of orderers
// (Fabric: protoutil/blockutils.go, `BlockSignatureVerifier` and `BlockHeaderBytes`).

import { sha256 } from '@noble/hashes/sha2.js';
import { OCTET_STRING, SEQUENCE } from '../../core/common/certificates/der.js';
import { concatBytes } from '../../proto/concat-bytes.js';
import { attempt } from '../../proto/attempt.js';
import { TranslateError } from '../../proto/errors.js';
import {
  CommonIdentifierHeader,
  CommonMetadata,
  CommonSignatureHeader,
  MspSerializedIdentity,
  type CommonMetadataSignature,
} from '../../proto/messages.js';
import { readMessage, writeMessage } from '../../proto/typed.js';
import { sameBytes } from '../channel/bytes.js';
import type { Config } from '../channel/element.js';
import type { ConfigFile } from '../channel/file.js';
import { channelOf, type Channel } from '../channel/channel.js';
import { setupChannelMsps } from '../msp/channel-msps.js';
import { derHeader, derInteger } from '../msp/ecdsa.js';
import type { Identity } from '../msp/identity.js';
import type { MspManager } from '../msp/msp.js';
import { verifySignature } from '../msp/verify.js';
import { SignerList } from '../policy/evaluate.js';
import { Evaluation } from '../policy/evaluation.js';
import { createPolicies, findPolicy } from '../policy/policies.js';
import { channelNameOf, hasItsData, type StoredBlock } from './stored-block.js';

const POLICY = '/Channel/Orderer/BlockValidation';
const SIGNATURES = 0;
const NO_BYTES = new Uint8Array();

/** The header as it is hashed and signed: an ASN.1 sequence of the number, the previous hash and the data hash. */
export function headerBytes({ number, previousHash, dataHash }: StoredBlock): Uint8Array {
  const octets = (bytes: Uint8Array): Uint8Array => concatBytes(derHeader(OCTET_STRING, bytes.length), bytes);
  const content = concatBytes(derInteger(number), concatBytes(octets(previousHash), octets(dataHash)));
  return concatBytes(derHeader(SEQUENCE, content.length), content);
}

/** Checks that a block has the data of its header. @throws TranslateError BAD_BLOCK */
export function checkData(block: StoredBlock): void {
  if (!hasItsData(block)) throw badBlock(block, 'its data are not those that its header has the hash of');
}

/** Checks that a block follows another one. @throws TranslateError BAD_BLOCK */
export function checkChain(previous: StoredBlock, block: StoredBlock): void {
  if (block.number !== previous.number + 1n || !sameBytes(sha256(headerBytes(previous)), block.previousHash))
    throw badBlock(block, `it does not follow block ${previous.number}`);
}

/** Checks that a block is of a channel. @throws TranslateError BAD_BLOCK */
export function checkChannel(block: StoredBlock, channel: string): void {
  const found = channelNameOf(block);
  if (found !== channel)
    throw badBlock(block, `it is of the channel ${JSON.stringify(found)}, not of ${JSON.stringify(channel)}`);
}

/**
 * Checks the sequence of the config in a config block. That of block 0 is 0, or 1 if a system channel of Fabric before 3.0 has made it from an
 * update; each update adds 1 (Fabric: common/configtx/validator.go, `ProposeConfigUpdate`; orderer/common/msgprocessor/systemchannel.go).
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
 * @param config of the channel before the block
 * @throws TranslateError BAD_BLOCK if they do not satisfy BlockValidation
 */
export async function checkSignatures(block: StoredBlock, config: Config): Promise<void> {
  const policy = findPolicy(createPolicies(config.channelGroup).root, POLICY);
  if (policy === undefined) throw badBlock(block, `the channel has no policy ${POLICY}`);
  const { manager } = await setupChannelMsps(config);
  const { value, signatures } = readMessage(CommonMetadata, block.metadata[SIGNATURES] ?? NO_BYTES);
  const channel = channelOf(config);
  const header = headerBytes(block);
  const signers: Identity[] = [];
  for (const signature of signatures) {
    const identity = await signerOf(signature, value, header, channel, manager);
    if (identity !== undefined) signers.push(identity);
  }
  if (new Evaluation(new SignerList(signers)).satisfied(policy)) return;
  throw badBlock(
    block,
    `${signers.length} of its ${signatures.length} signatures are valid, which does not satisfy ${POLICY}`,
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

/** The serialized identity of the consenter that a signature names. */
function consenterOf(header: Uint8Array, { orderer }: Channel): Uint8Array | undefined {
  const { identifier } = readMessage(CommonIdentifierHeader, header);
  const consenter = orderer.consenters.find(({ id }) => id === identifier);
  if (consenter?.identity === undefined) return undefined;
  return writeMessage(MspSerializedIdentity, { mspid: consenter.mspId, idBytes: consenter.identity });
}

/** The error for a block that fails a check. */
export const badBlock = ({ number }: StoredBlock, reason: string): TranslateError =>
  new TranslateError('BAD_BLOCK', `block ${number} is not used: ${reason}`);
