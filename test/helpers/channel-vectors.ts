// The recorded identities of test/vectors/channel.

import { readFileSync } from 'node:fs';
import { concatBytes } from '../../proto/bytes.js';
import { bytesField } from './codec.js';
import type { MspVersion } from '../../translator/msp/index.js';

/** A recorded identity. */
export interface RecordedIdentity {
  readonly mspid: string;
  /** Base64 of the bytes in the serialized identity. */
  readonly certificate: string;
  readonly key: string;
  readonly subject: string;
  readonly issuer: string;
  readonly serial: string;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly ous?: readonly string[];
}

/** Recorded results of identities. */
export interface IdentityCases {
  readonly texts: readonly string[];
  readonly msps: readonly string[];
  readonly configs: Readonly<
    Record<string, { readonly version: MspVersion; readonly msps: readonly number[] }>
  >;
  readonly cases: readonly (readonly [config: string, msp: string, identity: string, ...texts: number[]])[];
}

/** A file of test/vectors/channel. */
export function readVectors<Content>(name: string): Content {
  return JSON.parse(readFileSync(`test/vectors/channel/${name}.json`, 'utf8')) as Content;
}

export const IDENTITIES = readVectors<Readonly<Record<string, RecordedIdentity>>>('identities');

/** The certificate of a recorded identity, as in its serialized form. */
export function certificateOf(name: string): Buffer {
  return Buffer.from(IDENTITIES[name]!.certificate, 'base64');
}

/** A recorded identity, serialized. */
export function serializedIdentity(name: string): Uint8Array {
  return concatBytes(bytesField(1, Buffer.from(IDENTITIES[name]!.mspid)), bytesField(2, certificateOf(name)));
}
