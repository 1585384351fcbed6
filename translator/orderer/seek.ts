// The request for a block: a signed envelope with orderer.SeekInfo (Fabric: protoutil and common/deliver).

import { CommonChannelHeader, CommonEnvelope, CommonPayload, OrdererSeekInfo } from '../../proto/messages.js';
import { writeMessage } from '../../proto/typed.js';
import { headerOf } from '../sign/sign.js';
import type { SigningIdentity } from '../sign/signing-identity.js';
import type { Position } from '../ledger/blocks.js';

/** Who asks, and for what. */
export interface SeekRequest {
  readonly channel: string;
  readonly position: Position;
  readonly signer: SigningIdentity;
  /** SHA-256 of the client certificate in DER, which an orderer with mutual TLS compares; undefined without one. */
  readonly clientCertificateHash: Uint8Array | undefined;
  readonly now: Date;
}

/** The header type of a request for blocks. */
const DELIVER_SEEK_INFO = 5;
const FAIL_IF_NOT_READY = 1;
const EMPTY = new Uint8Array();

/** A serialized `common.Envelope` that asks for one block; a block that does not exist yet is an error. */
export async function seekEnvelope(request: SeekRequest): Promise<Uint8Array> {
  const { channel, position, signer, clientCertificateHash, now } = request;
  const seconds = BigInt(Math.floor(now.getTime() / 1000));
  const channelHeader = writeMessage(CommonChannelHeader, {
    type: DELIVER_SEEK_INFO,
    channelId: channel,
    timestamp: { seconds },
    tlsCertHash: clientCertificateHash,
  });
  const signatureHeader = headerOf(signer);
  const at = positionOf(position);
  const data = writeMessage(OrdererSeekInfo, { start: at, stop: at, behavior: FAIL_IF_NOT_READY });
  const payload = writeMessage(CommonPayload, { header: { channelHeader, signatureHeader }, data });
  return writeMessage(CommonEnvelope, { payload, signature: await signer.sign(payload) });
}

function positionOf(position: Position): object {
  if (position === 'newest') return { newest: EMPTY };
  if (position === 'oldest') return { oldest: EMPTY };
  return { specified: { number: position } };
}
