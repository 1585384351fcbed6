// An update that the channel has already: somebody submitted it before.

import {
  fingerprintOf,
  readUpdateFile,
  updateFault,
  verifyUpdate,
  type ConfigFile,
  type Envelope,
} from '../channel/index.js';
import { attempt } from '../../proto/errors.js';
import type { Review } from './result.js';

/** Where the update is: null if the channel does not have it, or has changed the same elements again. */
export type AppliedIn = NonNullable<Review['appliedIn']>;

/**
 * Finds an update in the config of a block: each element that it sets has the content of the update, so orderers would refuse it. The update
 * is in exactly this block if the block names it as the last update.
 *
 * @returns null if the update is not in the config, is for another channel, or has content that is not understood
 */
export function appliedIn({ update, channel }: Envelope, block: ConfigFile): AppliedIn | null {
  const isOther = (name: string | undefined): boolean =>
    name !== undefined && block.channel !== undefined && name !== block.channel;
  if (isOther(channel) || isOther(update.channelId)) return null;
  if (updateFault(update) !== undefined || !verifyUpdate(update, block.config).isIn) return null;
  const { number, lastUpdate } = block;
  const isLast = (bytes: Uint8Array): boolean =>
    attempt(
      () => fingerprintOf(readUpdateFile(bytes).update.bytes) === fingerprintOf(update.bytes),
      () => false,
    );
  return {
    block: number === undefined ? null : String(number),
    isExact: number !== undefined && lastUpdate !== undefined && isLast(lastUpdate),
  };
}

/** `already in block 7`; `already in block 7 or an earlier one` if it is not known which. */
export function appliedText({ block, isExact }: AppliedIn): string {
  if (block === null) return 'already in this config';
  return `already in block ${block}${isExact ? '' : ' or an earlier one'}`;
}

/** The review of an update that is in the config: it needs no signatures, and changes nothing any more. */
export function appliedReview(file: Envelope, block: ConfigFile, found: AppliedIn): Review {
  return {
    channel: block.channel ?? file.channel ?? file.update.channelId,
    fingerprint: fingerprintOf(file.update.bytes),
    block: found.block,
    fits: false,
    accepted: false,
    acceptedIf: null,
    appliedIn: found,
    elements: [],
    policies: [],
    signatures: [],
    submitter: { policy: '', signature: null, satisfied: false },
    majorities: [],
    findings: [],
    next: [],
    steps: [],
    unknown: [],
  };
}
