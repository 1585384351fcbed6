// Certificates, policies and lists in words, for people.

import { onOneLine } from '../../core/common/text/one-line.js';
import { dayText, nameText } from '../msp/describe.js';
import { MspError } from '../msp/errors.js';
import { readSerializedIdentity } from '../msp/serialized-identity.js';
import { certificateIn } from '../review/signers.js';

/** A certificate in PEM: `CN=orderer3 until 2027-11-21`. */
export function certificateWords(pem: Uint8Array): string {
  const certificate = certificateIn(pem);
  return certificate === undefined
    ? 'something that is not a certificate'
    : `${nameText(certificate.subject)} until ${dayText(certificate.notAfter)}`;
}

/** The certificate in a serialized identity: `CN=Admin@org1.example.com of Org1MSP`; undefined if it does not parse. */
export function identityWords(identity: Uint8Array): string | undefined {
  try {
    const { mspid, certificate } = readSerializedIdentity(identity);
    const read = certificateIn(certificate);
    return read === undefined ? undefined : `${nameText(read.subject)} of ${mspid}`;
  } catch (error) {
    if (error instanceof MspError) return undefined;
    throw error;
  }
}

/** What a list lost and got: `a removed`, `b added`. */
export function listChanges(before: readonly string[], after: readonly string[]): string[] {
  const [old, now] = [new Set(before), new Set(after)];
  const words = [
    ...before.filter((each) => !now.has(each)).map((each) => `${each} removed`),
    ...after.filter((each) => !old.has(each)).map((each) => `${each} added`),
  ];
  if (words.length > 0 || before.length === 0) return words.map(onOneLine);
  return before.every((each, index) => each === after[index]) && before.length === after.length
    ? []
    : ['another order'];
}

type Fields = Readonly<Record<string, string | number | bigint | boolean>>;

/** What changed of some fields: `maxMessageCount 10 → 20`. */
export function fieldChanges(before: Fields | undefined, after: Fields | undefined): string[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...names].flatMap((name) => {
    const [old, now] = [before?.[name], after?.[name]].map((value) =>
      value === undefined ? 'none' : onOneLine(String(value)),
    );
    return old === now ? [] : [`${name} ${old} → ${now}`];
  });
}
