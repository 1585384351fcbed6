// Signs config updates with the recorded identities, also wrongly.

import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import { IDENTITIES, serializedIdentity } from '../../helpers/channel-vectors.js';
import type { Random } from '../random.js';
import { serialize, type Tree } from './messages.js';

/** Half of the order of P-256: a signature above it is refused. */
const HALF_ORDER = 0x7fffffff800000007fffffffffffffffde737d56d38bcf4279dce5617e3192a8n;
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

const NAMES = Object.keys(IDENTITIES);
const ADMINS = NAMES.filter((name) => name.endsWith('/admin'));
const keys = new Map<string, KeyObject>();

function keyOf(name: string): KeyObject {
  const key = keys.get(name) ?? createPrivateKey(IDENTITIES[name]!.key);
  keys.set(name, key);
  return key;
}

/** A signature of an identity in the form that Fabric accepts. */
function signatureOf(name: string, bytes: Uint8Array): Buffer {
  const key = keyOf(name);
  if (key.asymmetricKeyType !== 'ec') return sign(null, bytes, key);
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return sign('sha256', bytes, key);
  const both = sign('sha256', bytes, { key, dsaEncoding: 'ieee-p1363' });
  const s = BigInt(`0x${both.toString('hex', 32)}`);
  return derOf(BigInt(`0x${both.toString('hex', 0, 32)}`), s > HALF_ORDER ? ORDER - s : s);
}

function derOf(...numbers: readonly bigint[]): Buffer {
  const parts = numbers.map((number) => {
    const hex = number.toString(16);
    const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
    const content = bytes[0]! >= 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes;
    return Buffer.concat([Buffer.from([0x02, content.length]), content]);
  });
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]);
}

const headerOf = (random: Random, name: string): Buffer =>
  serialize('common.SignatureHeader', { creator: serializedIdentity(name), nonce: random.bytes(24) });

function configSignature(random: Random, name: string, update: Uint8Array): Tree {
  const header = headerOf(random, name);
  return { signature_header: header, signature: signatureOf(name, Buffer.concat([header, update])) };
}

/** Who signs: mostly all admins, also some, also anybody. */
function signersOf(random: Random): string[] {
  const how = random.below(10);
  if (how < 6) return ADMINS;
  if (how < 8) return ADMINS.filter(() => random.below(2) === 0);
  return Array.from({ length: random.below(6) }, () => random.pick(NAMES));
}

/** Drops, doubles, reorders or corrupts signatures. */
function disturb(random: Random, signatures: Tree[]): Tree[] {
  const how = random.below(20);
  const index = random.below(Math.max(1, signatures.length));
  if (how === 0) return signatures.toReversed();
  if (how === 1) return signatures.toSpliced(index, 1);
  if (how === 2 && signatures.length > 0) return [signatures[index]!, ...signatures, signatures[index]!];
  const bytes = signatures[index]?.signature as Buffer | undefined;
  if (how === 3 && bytes !== undefined && bytes.length > 0) bytes[bytes.length - 1]! ^= 1;
  return signatures;
}

/** An envelope to make. */
interface Wanted {
  readonly channel: string;
  readonly update: Buffer;
  readonly now: Date;
  /** The names of the recorded identities that sign. */
  readonly signers: readonly string[];
  readonly submitter: string;
}

/** Makes the envelope of an update: signed, mostly well, and submitted by an admin. */
export function envelopeOf(random: Random, channel: string, update: Buffer, now: Date): Buffer {
  const signers = signersOf(random);
  const made = { channel, update, now, signers };
  const signatures = disturb(random, signaturesOf(random, made));
  const submitter = random.below(10) === 0 ? random.pick(NAMES) : random.pick(ADMINS);
  return submitted(random, { ...made, submitter }, signatures);
}

/** Makes the envelope of an update with signatures of the signers. */
export const signedEnvelope = (random: Random, wanted: Wanted): Buffer =>
  submitted(random, wanted, signaturesOf(random, wanted));

const signaturesOf = (random: Random, { signers, update }: Pick<Wanted, 'signers' | 'update'>): Tree[] =>
  signers.map((name) => configSignature(random, name, update));

function submitted(
  random: Random,
  { channel, update, now, submitter }: Omit<Wanted, 'signers'>,
  signatures: readonly Tree[],
): Buffer {
  const data = serialize('common.ConfigUpdateEnvelope', { config_update: update, signatures });
  const channelHeader = serialize('common.ChannelHeader', {
    type: 2,
    channel_id: channel,
    timestamp: { seconds: Math.floor(now.getTime() / 1000) },
  });
  const header = { channel_header: channelHeader, signature_header: headerOf(random, submitter) };
  const payload = serialize('common.Payload', { header, data });
  return serialize('common.Envelope', { payload, signature: signatureOf(submitter, payload) });
}
