// `msp.SerializedIdentity`: the name of an MSP and a certificate.

import { BYTES } from '../../proto/wire.js';
import { tagOf } from '../config/fields.js';
import { bytes, text } from '../config/message.js';
import { writeString, written } from '../config/write-message.js';
import { withMessage } from './errors.js';
import { readMspMessage } from './message.js';
import { encodePem } from './pem.js';

/** A serialized identity, read. */
export interface SerializedIdentity {
  readonly mspid: string;
  /** The certificate, PEM. */
  readonly certificate: Uint8Array;
}

const MSPID = tagOf(1, BYTES);
const CERTIFICATE = tagOf(2, BYTES);

const shape = { mspid: text(1), certificate: bytes(2) };

/** @throws MspError with Fabric's text if the bytes are not a message */
export function readSerializedIdentity(serialized: Uint8Array): SerializedIdentity {
  return withMessage('could not deserialize a SerializedIdentity', () => readMspMessage(shape, serialized));
}

/** Writes an identity as Fabric does (msp/identities.go, `Serialize`): PEM with the label CERTIFICATE. */
export function writeSerializedIdentity(mspid: string, der: Uint8Array): Uint8Array {
  return written((writer) => {
    writeString(writer, CERTIFICATE, encodePem('CERTIFICATE', der));
    writeString(writer, MSPID, mspid);
  });
}
