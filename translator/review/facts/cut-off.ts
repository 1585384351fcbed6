// Who counts before the update and not after it.

import { TranslateError } from '../../../proto/errors.js';
import type { Identity } from '../../msp/identity.js';
import { nameOf, type CheckedSignature } from './signers.js';
import type { State } from './state.js';

/** A signer who loses by the update what the signature was good for. */
export interface CutOff {
  /** `Org1MSP CN=Admin@org1.example.com` */
  readonly who: string;
  /** The MSP that changes. */
  readonly path: string;
  readonly reason: string;
}

/** Judges the signers, of whom each MSP has at least one, by the MSPs of the resulting config. An organisation that leaves is no fault. */
export async function findCutOff(
  signatures: readonly (CheckedSignature | undefined)[],
  { organizations, msps }: State,
): Promise<CutOff[]> {
  const found = new Map<string, CutOff>();
  for (const [index, signature] of signatures.entries()) {
    const identity = signature?.identity;
    if (signature === undefined || identity === undefined || identity.validationError !== undefined) continue;
    const organization = organizations.find(({ mspId }) => mspId === identity.mspid);
    const msp = msps.msps.get(identity.mspid);
    if (organization === undefined || msp === undefined) continue;
    const reason = lossOf(identity, await identityIn(msp, signature.creator));
    const who = nameOf(signature, index);
    if (reason !== undefined) found.set(who, { who, path: `${organization.path}/MSP`, reason });
  }
  return [...found.values()];
}

async function identityIn(
  msp: { identity: (serialized: Uint8Array) => Promise<Identity> },
  creator: Uint8Array,
): Promise<Identity | string> {
  try {
    return await msp.identity(creator);
  } catch (error) {
    if (error instanceof TranslateError) return error.message;
    throw error;
  }
}

function lossOf(before: Identity, after: Identity | string): string | undefined {
  if (typeof after === 'string') return after;
  if (after.validationError !== undefined) return after.validationError;
  const isAdmin = (identity: Identity): boolean =>
    identity.satisfies({ kind: 'role', mspid: identity.mspid, role: 'admin' });
  return isAdmin(before) && !isAdmin(after) ? 'it is no admin any more' : undefined;
}
