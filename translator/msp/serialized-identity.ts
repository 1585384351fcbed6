// `msp.SerializedIdentity`: the name of an MSP and a certificate.

import { concatBytes } from './bytes.js';
import { withMessage } from './errors.js';
import { Fields } from './message.js';
import { encodePem } from './pem.js';
import { bytesField } from './write-message.js';

/** A serialized identity, read. */
export interface SerializedIdentity {
  readonly mspid: string;
  /** The certificate, PEM. */
  readonly certificate: Uint8Array;
}

/** @throws MspError with Fabric's text if the bytes are not a message */
export function readSerializedIdentity(bytes: Uint8Array): SerializedIdentity {
  return withMessage('could not deserialize a SerializedIdentity', () => {
    const fields = new Fields(bytes);
    return { mspid: fields.text(1), certificate: fields.bytes(2) };
  });
}

/** Writes an identity as Fabric does (msp/identities.go, `Serialize`): PEM with the label CERTIFICATE. */
export function writeSerializedIdentity(mspid: string, der: Uint8Array): Uint8Array {
  const encoder = new TextEncoder();
  return concatBytes(bytesField(1, encoder.encode(mspid)), bytesField(2, encoder.encode(encodePem('CERTIFICATE', der))));
}

