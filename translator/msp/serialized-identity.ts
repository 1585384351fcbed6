// `msp.SerializedIdentity`: the name of an MSP and a certificate.

import { withPrefix } from '../../proto/attempt.js';
import { MspSerializedIdentity } from '../../proto/messages.js';
import { writeMessage, readMessage } from '../../proto/typed.js';
import { encodePem } from '../../core/common/certificates/pem.js';

/** A serialized identity, read. */
export interface SerializedIdentity {
  readonly mspid: string;
  /** The certificate, PEM. */
  readonly certificate: Uint8Array;
}

/** @throws TranslateError with Fabric's text if the bytes are not a message */
export function readSerializedIdentity(serialized: Uint8Array): SerializedIdentity {
  const { mspid, idBytes } = withPrefix('could not deserialize a SerializedIdentity', () =>
    readMessage(MspSerializedIdentity, serialized),
  );
  return { mspid, certificate: idBytes };
}

/** Writes an identity as Fabric does (msp/identities.go, `Serialize`): PEM with the label CERTIFICATE. */
export function writeSerializedIdentity(mspid: string, der: Uint8Array): Uint8Array {
  const idBytes = new TextEncoder().encode(encodePem('CERTIFICATE', der));
  return writeMessage(MspSerializedIdentity, { mspid, idBytes });
}
