// Describes principals as text.

import { onOneLine } from '../../core/common/text/one-line.js';
import { toHex } from '../../proto/bytes.js';
import { isNameable } from './parse.js';
import { mspidOf } from './principal-bytes.js';
import type { Principal } from '../msp/index.js';

/** Names the certificate in a serialized identity; undefined if it cannot be read. */
export type NameIdentity = (identity: Uint8Array) => string | undefined;

/** The name of an MSP; in double quotes if it contains characters that the policy language does not allow. */
export const mspName = (mspid: string): string => (isNameable(mspid) ? mspid : `"${onOneLine(mspid)}"`);

/** Describes the identities of a principal: `Org1MSP.admin`, `OU Finance of Org1MSP with the certifiers 5ad1…`. */
export function describePrincipal(principal: Principal, nameIdentity?: NameIdentity): string {
  switch (principal.kind) {
    case 'role':
      return isNameable(principal.mspid)
        ? `${principal.mspid}.${principal.role}`
        : `${principal.role} of ${mspName(principal.mspid)}`;
    case 'ou':
      return `OU ${onOneLine(principal.unit)} of ${mspName(principal.mspid)}${certifierWords(principal.certifiersIdentifier)}`;
    case 'identity':
      return describeIdentity(principal.identity, nameIdentity);
    case 'anonymity':
      return principal.type === 'nominal' ? 'any identity' : 'an anonymous identity (unsatisfiable)';
    case 'combined':
      return describeCombined(principal.principals, nameIdentity);
    case 'unknown':
      break;
  }
  return `an unknown principal of classification ${String(principal.classification)}, which nobody satisfies`;
}

/** Describes the CAs of an organisational unit by Fabric's hash of them (msp/mspimpl.go, `getCertificationChainIdentifier`). */
const certifierWords = (identifier: Uint8Array): string =>
  identifier.length === 0
    ? ' without certifiers (unsatisfiable)'
    : ` with the certifiers ${toHex(identifier)}`;

function describeIdentity(identity: Uint8Array, nameIdentity: NameIdentity | undefined): string {
  const name = nameIdentity?.(identity);
  if (name !== undefined) return `the certificate ${onOneLine(name)}`;
  const mspid = mspidOf(identity);
  return mspid === '' ? 'an unreadable identity' : `one certificate of ${mspName(mspid)}`;
}

function describeCombined(principals: readonly Principal[], nameIdentity: NameIdentity | undefined): string {
  if (principals.length === 0) return 'an empty combination, which nobody satisfies';
  return `(${principals.map((each) => describePrincipal(each, nameIdentity)).join(' and ')})`;
}
