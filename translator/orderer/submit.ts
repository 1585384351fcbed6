// Submits a config update to a running channel: reviews it, sends it if it is complete, and waits until enough orderers have it.

import { TranslateError, attempt } from '../../proto/errors.js';
import { readConfigFile, readUpdateFile } from '../channel/index.js';
import type { CallOptions } from '../long-call.js';
import type { AppliedIn, OrdererProgress, Review, Verdict } from '../review/index.js';
import { blockBytes, type StoredBlock } from '../ledger/index.js';
import { signAsSubmitter, type SigningIdentity } from '../sign/index.js';
import { awaitUpdate, pause, Waiting, type Configs, type Delivered } from './await-block.js';
import type { Orderer } from './connection.js';
import type { BlockRequests } from './fetch.js';
import type { Heights } from './responses.js';

/** The network of a channel, as `submit` uses it. */
interface RunningChannel extends Configs {
  newestConfig(options: Pick<CallOptions, 'signal'>): Promise<StoredBlock>;
  readonly orderers: readonly Orderer[];
  readonly receivers: readonly Orderer[];
  readonly progress: readonly OrdererProgress[];
  readonly heights: Heights | undefined;
}

/** The progress of a submission: the responses of the orderers, then the review, then steps in words while it is sent and awaited. */
export type SubmitProgress =
  | { readonly kind: 'heights'; readonly heights: Heights }
  | { readonly kind: 'review'; readonly review: Review }
  | { readonly kind: 'step'; readonly text: string };

/**
 * Options of {@link submit}. Before the envelope is sent, the signal ends the call; after it, it ends the wait for the block.
 */
export interface SubmitOptions extends CallOptions<SubmitProgress> {
  /** Ids of accepted dangers. */
  readonly allowed?: ReadonlySet<string>;
  /** The versions of the nodes, as in `ReviewOptions`. */
  readonly fabric?: readonly string[];
  /** The time to wait, in seconds. @default 60 */
  readonly seconds?: number;
}

/** The result of {@link submit}. */
export type Submitted =
  /** It was not sent, because of the verdict on it. */
  | {
      readonly kind: 'not sent';
      readonly review: Review;
      readonly verdict: Exclude<Verdict, 'harmless'>;
    }
  /** It was accepted before: nothing was sent. */
  | { readonly kind: 'known'; readonly in: AppliedIn }
  | { readonly kind: 'accepted'; readonly review: Review; readonly delivered: Delivered };

/** The identity that submits, and its requests for blocks. */
interface Submitting {
  readonly signer: SigningIdentity;
  readonly requests: BlockRequests;
}

/** Submits an envelope, see `Network.submit`. */
export async function submit(
  envelope: Uint8Array,
  network: RunningChannel,
  { signer, requests }: Submitting,
  { allowed = new Set(), fabric = [], seconds = 60, signal, onProgress = () => undefined }: SubmitOptions,
): Promise<Submitted> {
  const waiting = new Waiting(seconds, signal ?? new AbortController().signal, (text) =>
    onProgress({ kind: 'step', text }),
  );
  const before = readConfigFile(blockBytes(await network.newestConfig({ signal })));
  const { orderers, progress, heights } = network;
  onProgress({ kind: 'heights', heights: heights! });
  const { appliedIn, review, verdictOf } = await import('../review/index.js');
  const known = appliedIn(readUpdateFile(envelope), before);
  if (known !== null) return { kind: 'known', in: known };
  const now = new Date();
  const signed = await signAsSubmitter(envelope, signer, now);
  const update = readUpdateFile(signed);
  signal?.throwIfAborted();
  const reviewed = await review(update, before, {
    now,
    fabric,
    orderers: progress,
    isNewest: true,
    signal,
  });
  const verdict = verdictOf(reviewed, allowed);
  onProgress({ kind: 'review', review: reviewed });
  if (verdict !== 'harmless' && verdict !== 'warning') return { kind: 'not sent', review: reviewed, verdict };
  signal?.throwIfAborted();
  const sent = await broadcast(signed, network.receivers, waiting);
  waiting.report(sent.by === undefined ? unclearText(sent) : `sent to ${sent.by}`);
  const asked = { network, orderers, requests };
  const delivered = await seen(sent, awaitUpdate(update.update, before, asked, waiting), waiting);
  return { kind: 'accepted', review: reviewed, delivered };
}

/** Waits for the block of a sent update. An error has what is known about the update. */
async function seen(sent: Sent, delivered: Promise<Delivered>, waiting: Waiting): Promise<Delivered> {
  const at = new Date().toISOString();
  try {
    return await delivered;
  } catch (error) {
    const known = sent.by === undefined ? unclearText(sent) : `accepted by ${sent.by} at ${at}`;
    const { message } = error as Error;
    const code = error instanceof TranslateError ? error.code : undefined;
    // Another update is in its place.
    if (code === 'REFUSED') throw new TranslateError(code, `${known}, but ${message}`);
    // Also if a block cannot be read, or a key elsewhere does not sign the requests for it.
    const why = code === 'NOT_SEEN' ? ` (${waiting.end})` : '';
    throw new TranslateError('NOT_SEEN', `${known}, but it was not seen${why}: ${message}`);
  }
}

const unclearText = ({ reasons }: Sent): string =>
  `it is unclear whether an orderer has accepted the update (${reasons.join('; ')})`;

const SUCCESS = 200;
const UNAVAILABLE = 503;
/** The pause between two rounds, in milliseconds: an election takes seconds. */
const ROUND = 500;

/** The result of sending an update. */
export interface Sent {
  /** The address of the orderer that accepted it; undefined if it is unclear whether any did. */
  readonly by: string | undefined;
  /** The reasons why it is unclear: orderers that received the update but did not respond, and responses of others. */
  readonly reasons: readonly string[];
}

/**
 * Sends an envelope. If an orderer does not respond, or cannot serve the channel now, the next one is tried; all are tried again until the
 * time is over. An orderer that received the envelope but did not respond may have accepted it: then other orderers refuse the update as
 * outdated, which proves nothing.
 *
 * @throws TranslateError REFUSED with the text of the orderer; UNREACHABLE if no orderer accepts it in time
 */
export async function broadcast(
  envelope: Uint8Array,
  orderers: readonly Orderer[],
  waiting: Waiting,
): Promise<Sent> {
  const unclear = new Map<Orderer, string>();
  for (;;) {
    const reasons: string[] = [];
    for (const orderer of orderers) {
      if (waiting.signal.aborted && reasons.length > 0) break;
      const found = await sendTo(orderer, envelope);
      if (found.kind === 'accepted') return { by: orderer.address, reasons: [] };
      const { kind, reason } = found;
      if (kind === 'refused' && unclear.size === 0) throw new TranslateError('REFUSED', reason);
      if (kind === 'refused') return { by: undefined, reasons: [...unclear.values(), reason] };
      if (kind === 'unclear') unclear.set(orderer, reason);
      reasons.push(reason);
      waiting.report(reason);
    }
    if (waiting.isOver()) {
      if (unclear.size > 0)
        return { by: undefined, reasons: [...new Set([...unclear.values(), ...reasons])] };
      throw new TranslateError(
        'UNREACHABLE',
        `no orderer accepted the update (${waiting.end}): ${reasons.join('; ')}`,
      );
    }
    await pause(ROUND, waiting);
  }
}

/** The result of sending an envelope to one orderer. `unclear`: the orderer received it, but did not respond. */
type Outcome =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused' | 'unavailable' | 'unclear'; readonly reason: string };

async function sendTo(orderer: Orderer, envelope: Uint8Array): Promise<Outcome> {
  const name = `orderer ${orderer.address}`;
  return attempt(
    async (): Promise<Outcome> => {
      const { status, info } = await orderer.broadcast(envelope);
      if (status === SUCCESS) return { kind: 'accepted' };
      if (status === UNAVAILABLE)
        return { kind: 'unavailable', reason: `${name}: unavailable (503): ${info}` };
      return { kind: 'refused', reason: `${name} refused the update (${status}): ${info}` };
    },
    ({ code, message }): Outcome => ({
      kind: code === 'UNREACHABLE' ? 'unavailable' : 'unclear',
      reason: `${name}: ${message}`,
    }),
  );
}
