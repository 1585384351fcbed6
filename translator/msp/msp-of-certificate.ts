// Finds the MSPs of a channel that a certificate belongs to.

import { attempt } from '../../proto/attempt.js';
import type { MspManager } from './manager.js';
import type { Msp } from './msp.js';

/** The ids of the MSPs whose CAs issued a certificate in PEM, and in which it is valid. */
export async function mspIdsOf({ msps }: MspManager, certificate: Uint8Array): Promise<readonly string[]> {
  const found: string[] = [];
  for (const msp of msps.values())
    if ((await membershipProblem(msp, certificate)) === undefined) found.push(msp.name);
  return found;
}

/** Why a certificate in PEM is not valid in an MSP; undefined if it is. */
export const membershipProblem = async (msp: Msp, certificate: Uint8Array): Promise<string | undefined> =>
  attempt(
    async () => (await msp.identityOf(certificate)).validationError,
    ({ message }) => message,
  );
