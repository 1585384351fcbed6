// The MSPs of a channel (msp/mspmgrimpl.go).

import { TranslateError } from '../../proto/errors.js';
import type { Identity } from './identity.js';
import type { Msp } from './msp.js';
import { readSerializedIdentity } from './serialized-identity.js';

/** The MSPs of a channel, by their ids. */
export class MspManager {
  readonly msps: ReadonlyMap<string, Msp>;

  constructor(msps: Iterable<Msp>) {
    this.msps = new Map(Array.from(msps, (msp) => [msp.name, msp]));
  }

  /**
   * Reads a serialized identity of any MSP of the channel (`DeserializeIdentity`). It may still be invalid.
   *
   * @throws TranslateError with Fabric's text
   */
  async identity(serialized: Uint8Array): Promise<Identity> {
    const { mspid, certificate } = readSerializedIdentity(serialized);
    const msp = this.msps.get(mspid);
    if (msp === undefined) throw new TranslateError('BAD_IDENTITY', `MSP ${mspid} is not defined on channel`);
    return msp.identityOf(certificate);
  }
}
