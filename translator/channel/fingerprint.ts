// The fingerprint of a config update: people who sign the same update see the same one.

import { toHex } from './bytes.js';

/** SHA-256 of a serialized `common.ConfigUpdate`, in hexadecimal. Signatures and envelopes around it do not change it. */
export async function fingerprintOf(update: Uint8Array): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new Uint8Array(update))));
}
