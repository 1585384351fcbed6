// The signatures of orderers on a block (Fabric: protoutil/blockutils.go, `BlockSignatureVerifier`). For Node.js and browsers.

import { concatBytes, NO_BYTES } from '../../proto/bytes.js';
import { attempt } from '../../proto/errors.js';
import {
  CommonIdentifierHeader,
  CommonMetadata,
  CommonSignatureHeader,
  MspSerializedIdentity,
  type CommonMetadataSignature,
} from '../../proto/messages.js';
import { readMessage, writeMessage } from '../../proto/typed.js';
import type { Channel } from '../channel/index.js';
import { type Identity, type MspManager, verifySignature } from '../msp/index.js';
import { Evaluation, findPolicy, SignerList } from '../policy/index.js';
import type { ChannelState } from '../state/index.js';
import { headerBytes, type StoredBlock } from './stored-block.js';

/** The policy for the signatures of a block. */
const BLOCK_VALIDATION = '/Channel/Orderer/BlockValidation';
/** The index in `common.BlockMetadataIndex`. */
const SIGNATURES = 0;

/**
 * Checks the signatures of orderers on a block. Block 0 is never signed.
 *
 * @param before the state of the channel before the block
 * @returns why they do not satisfy BlockValidation; undefined if they do
 * @throws TranslateError BAD_BYTES if the metadata of the block cannot be read
 */
export async function signatureFault(
  block: StoredBlock,
  { policies, msps, channel }: ChannelState,
): Promise<string | undefined> {
  const policy = findPolicy(policies.root, BLOCK_VALIDATION);
  if (policy === undefined) return `the channel has no policy ${BLOCK_VALIDATION}`;
  const { value, signatures } = readMessage(CommonMetadata, block.metadata[SIGNATURES] ?? NO_BYTES);
  const header = headerBytes(block);
  const { manager } = await msps;
  const signers: Identity[] = [];
  for (const signature of signatures) {
    const identity = await signerOf(signature, value, header, channel, manager);
    if (identity !== undefined) signers.push(identity);
  }
  return new Evaluation(new SignerList(signers)).satisfied(policy)
    ? undefined
    : `${signers.length} of its ${signatures.length} signatures are valid, which does not satisfy ${BLOCK_VALIDATION}`;
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
