// Submits a config update to a running channel: reviewed first, sent once it is complete, and done when enough orderers have it.

import { TranslateError } from '../../proto/errors.js';
import { readConfigFile, readUpdateFile } from '../channel/file.js';
import { exitStatusOf, type Review } from '../describe/index.js';
import { review } from '../review/review.js';
import { signAsSubmitter } from '../sign/sign.js';
import { verifyUpdate } from '../channel/verify.js';
import type { SigningIdentity } from '../sign/signing-identity.js';
import { lackingText, type Heights } from './heights.js';
import { Network, type Asking } from './network.js';
import type { Orderer } from './connection.js';
import type { OpenOrderer } from './orderers-of.js';
import { blockBytes } from '../ledger/stored-block.js';
import { awaitUpdate, type Delivered } from './await-block.js';
import { broadcast } from './broadcast.js';
import type { Waiting } from './waiting.js';

/** A channel that can be changed, and who changes it. */
export interface ConnectedChannel {
  /** The orderers that are asked first. */
  readonly given: readonly Orderer[];
  readonly asking: Asking & { readonly signer: SigningIdentity };
  /** Opens another orderer of the channel. */
  readonly open: OpenOrderer;
}

/** How to submit. */
export interface SubmitOptions {
  /** Ids of known dangers. */
  readonly allowed?: ReadonlySet<string>;
  /** The versions of the nodes, as in `ReviewOptions`. */
  readonly fabric?: readonly string[];
  readonly waiting: Waiting;
  /** Gets the review before the update is sent. */
  readonly onReview: (review: Review) => void;
}

/** What became of an update. */
export type Submitted =
  /** It was not sent; `status` is that of a review, see `exitStatusOf`. */
  | { readonly kind: 'not sent'; readonly review: Review; readonly status: 2 | 3 | 4 }
  /** It was accepted before: nothing was sent. */
  | { readonly kind: 'known'; readonly block: bigint }
  | { readonly kind: 'accepted'; readonly review: Review; readonly delivered: Delivered };

/**
 * Submits an envelope with a config update. The signer submits it; the signatures on the update stay as they are.
 *
 * @throws TranslateError NOT_SEEN if it was sent, but not seen on enough orderers in time; UNREACHABLE if no orderer accepted it; REFUSED if one
 *   refused it, or if another update was accepted first
 */
export async function submit(
  envelope: Uint8Array,
  { given, asking, open }: ConnectedChannel,
  { allowed = new Set(), fabric, waiting, onReview }: SubmitOptions,
): Promise<Submitted> {
  const network = new Network(given, asking, open);
  try {
    const before = readConfigFile(blockBytes(await network.newestConfig()));
    const { orderers, progress, heights } = network;
    const lacking = heights && lackingText(heights);
    if (lacking !== undefined) waiting.report(lacking);
    const { update: content } = readUpdateFile(envelope);
    if (verifyUpdate(content, before.config).isIn) return { kind: 'known', block: before.number ?? 0n };
    const now = new Date();
    const signed = await signAsSubmitter(envelope, asking.signer, now);
    const update = readUpdateFile(signed);
    const reviewed = await review(update, before, { now, fabric, orderers: progress, isNewest: true });
    const status = exitStatusOf(reviewed, allowed);
    onReview(reviewed);
    if (status !== 0) return { kind: 'not sent', review: reviewed, status };
    const { by } = await broadcast(signed, latestFirst([...given, ...network.opened], heights), waiting);
    waiting.report(by === undefined ? 'an orderer may have accepted the update' : `sent to ${by}`);
    const asked = { network, orderers, asking };
    const delivered = await seen(by, awaitUpdate(update.update, before, asked, waiting), waiting);
    return { kind: 'accepted', review: reviewed, delivered };
  } finally {
    for (const orderer of network.opened) orderer.close();
  }
}

/** Those that have the newest config first: an orderer that is behind, or was removed, may refuse the update. */
function latestFirst(orderers: readonly Orderer[], heights: Heights | undefined): readonly Orderer[] {
  const latest = new Set(
    heights?.orderers.filter(({ block }) => block === String(heights.used)).map(({ address }) => address),
  );
  return orderers.toSorted((a, b) => Number(latest.has(b.address)) - Number(latest.has(a.address)));
}

/** Says what is known of an update that was sent, if its block is not seen. */
async function seen(
  by: string | undefined,
  delivered: Promise<Delivered>,
  waiting: Waiting,
): Promise<Delivered> {
  const at = new Date().toISOString();
  try {
    return await delivered;
  } catch (error) {
    if (!(error instanceof TranslateError) || error.code !== 'NOT_SEEN') throw error;
    const sent =
      by === undefined ? 'it is unclear whether an orderer has accepted it' : `accepted by ${by} at ${at}`;
    throw new TranslateError('NOT_SEEN', `${sent}, but it was not seen (${waiting.end}): ${error.message}`);
  }
}
