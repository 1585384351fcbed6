// Rehearses updates of a channel: makes a copy with new keys, starts its nodes, submits the updates, and reports what stops.

import { join, resolve } from 'node:path';
import { mkdirSync, readdirSync } from 'node:fs';
import { describeSystemError } from '../../core/common/text/system-error.js';
import { TranslateError } from '../../proto/errors.js';
import { applyUpdate, channelOf, type ConfigFile, type Envelope, readConfigFile } from '../channel/index.js';
import { isFabricVersion } from '../msp/index.js';
import { type Finding, review } from '../review/index.js';
import type { Answer } from './channel.js';
import { temporaryDirectory } from './child.js';
import type { CopiedNode, Copy } from './copy.js';
import { compareLosses, isForetold, type Compared, type Membership } from './foretold.js';
import { ALL, type Loss } from './losses.js';
import { Looks, peersHaveMore, spareOrderer, type Tried, untilOrdered } from './looks.js';
import { makeCopy, type MadeCopy } from './make-copy.js';
import { notCopied } from './pki.js';
import { type Network, newestConfig, restartAll, startNetwork, stopAll, submitTo } from './network.js';
import { writeNode } from './node-files.js';
import { findProgram, hostFaultIn, type Program } from './nodes.js';

/** An update to rehearse. */
export interface RehearsedUpdate {
  /** For messages and results, such as the name of a file. */
  readonly name: string;
  readonly update: Envelope;
}

/** Options of {@link rehearse}. */
export interface RehearseOptions {
  /** The directory of the programs `orderer` and `peer`. */
  readonly programs: string;
  /** The version that the programs must have, such as `3.1.5`. @default any */
  readonly fabric?: string | undefined;
  /** The addresses `host:port` of consenters that are down. */
  readonly down?: Iterable<string>;
  /** An empty or new directory for the files of the nodes, which stays. @default a temporary directory */
  readonly keep?: string | undefined;
  readonly now?: Date;
  readonly signal?: AbortSignal | undefined;
  /** Called with what is done now: a short sentence without a period. */
  readonly onProgress?: (step: string) => void;
}

/** What became of an update. */
export interface UpdateOutcome {
  readonly name: string;
  /** `unordered`: accepted, and in no block. `unserved`: no orderer served the channel. `skipped`: an update before it was not accepted. */
  readonly outcome: 'accepted' | 'refused' | 'unordered' | 'unserved' | 'skipped';
  /** The response of the orderers; empty if they accepted it. */
  readonly reason: string;
  /** What was lost when the update was in a block, while all nodes ran. */
  readonly losses: readonly Loss[];
}

/** The result of a rehearsal. */
export interface Rehearsal {
  readonly channel: string;
  /** The version of the programs. */
  readonly fabric: string;
  readonly orderers: number;
  readonly peers: number;
  readonly replaced: MadeCopy['replaced'];
  /** What is not as in the channel. */
  readonly notes: readonly string[];
  /** What did not work before the updates, and is not tried again. */
  readonly failedBefore: readonly Loss[];
  readonly updates: readonly UpdateOutcome[];
  /** While one orderer is stopped that may fail; null if none may. */
  readonly oneDown: { readonly node: string; readonly losses: readonly Loss[] } | null;
  /** After a restart of all nodes; null if no update was accepted. */
  readonly restarted: { readonly losses: readonly Loss[] } | null;
  /** What worked at least once. */
  readonly worked: readonly Tried[];
  /** The nodes by which losses are named. */
  readonly nodes: readonly Pick<CopiedNode, 'name' | 'kind' | 'mspId' | 'original' | 'isDown'>[];
  readonly review: Compared;
  readonly seconds: number;
}

/** In milliseconds: a loss that the review foretold is not tried for long, but as long as a node may need after its start. */
const PATIENCE = { foretold: 10_000, refused: 8_000, before: 30_000, other: 45_000 } as const;
/** A refusal for lack of a right does not pass. */
const REFUSED = /status 40[03]|\(403\)|FORBIDDEN|access denied/;

/**
 * Rehearses updates that follow each other.
 *
 * @throws TranslateError NOT_REHEARSED if the channel or an update cannot be copied; BAD_NODE for programs that are missing or do not run
 * @throws the reason of `signal` if it aborts; nothing runs then
 */
export async function rehearse(
  updates: readonly RehearsedUpdate[],
  block: ConfigFile,
  options: RehearseOptions,
): Promise<Rehearsal> {
  const start = performance.now();
  const { now = new Date(), signal, onProgress = () => {} } = options;
  onProgress('looking for the programs');
  const programs = await programsIn(options);
  onProgress('making the copy');
  const channel = channelNameOf(updates, block);
  const made = await makeCopy({ channel, config: block.config, updates, down: new Set(options.down), now });
  signal?.throwIfAborted();
  const directory = directoryOf(options.keep);
  try {
    const run = new Run(made, programs, directory.path, membershipOf(made.copy, block), options);
    const tried = await run.all(updates, block, now);
    if (tried.failedBefore.length + lossesOf(tried).length > 0) requireHost(directory.path);
    return {
      channel,
      fabric: programs.orderer.version,
      orderers: countOf(made.copy, 'orderer'),
      peers: countOf(made.copy, 'peer'),
      replaced: made.replaced,
      notes: made.notes,
      ...tried,
      nodes: made.copy.nodes.map(({ name, kind, mspId, original, isDown }) => ({
        name,
        kind,
        mspId,
        original,
        isDown,
      })),
      seconds: Math.round((performance.now() - start) / 1000),
    };
  } catch (error) {
    // Timers and requests that abort throw an error of their own.
    signal?.throwIfAborted();
    requireHost(directory.path);
    if (error instanceof TranslateError || !('syscall' in (error as object))) throw error;
    throw new TranslateError('BAD_FILE', `${directory.path}: ${describeSystemError(error)}`);
  } finally {
    directory.remove();
  }
}

/** @throws TranslateError BAD_NODE if the host did not let a node run */
function requireHost(directory: string): void {
  const fault = hostFaultIn(directory);
  if (fault !== undefined)
    throw new TranslateError('BAD_NODE', `this host does not let a node run: ${fault}`);
}

/** All losses of a rehearsal. */
export const lossesOf = ({
  updates,
  oneDown,
  restarted,
}: Pick<Rehearsal, 'updates' | 'oneDown' | 'restarted'>): readonly Loss[] => [
  ...updates.flatMap(({ losses }) => losses),
  ...(oneDown?.losses ?? []),
  ...(restarted?.losses ?? []),
];

const countOf = ({ nodes }: Copy, kind: CopiedNode['kind']): number =>
  nodes.filter((node) => node.kind === kind && !node.isDown).length;

/** The certificates of nodes have other serial numbers in a copy. */
const NOT_TRIED: ReadonlySet<string> = new Set(['msp-revocation']);

const membershipOf = ({ nodes, people }: Copy, { config }: ConfigFile): Membership => ({
  organizations: channelOf(config).organizations,
  nodes,
  people,
  notTried: NOT_TRIED,
});

/** The channel of the block or of the updates. @throws TranslateError WRONG_CHANNEL */
function channelNameOf(updates: readonly RehearsedUpdate[], { channel }: ConfigFile): string {
  const [first] = updates;
  const name = channel ?? first?.update.update.channelId ?? '';
  for (const each of updates) {
    const own = each.update.channel ?? each.update.update.channelId;
    if (own !== name)
      throw new TranslateError(
        'WRONG_CHANNEL',
        `${each.name} is an update of the channel ${JSON.stringify(own)}, the block is of ${JSON.stringify(name)}`,
      );
  }
  return name;
}

type Programs = Readonly<Record<'orderer' | 'peer', Program>>;

async function programsIn({ programs: directory, fabric }: RehearseOptions): Promise<Programs> {
  const [orderer, peer] = await Promise.all([
    findProgram(directory, 'orderer'),
    findProgram(directory, 'peer'),
  ]);
  for (const { path, version } of [orderer, peer])
    if (fabric !== undefined && version !== fabric)
      throw new TranslateError('BAD_NODE', `${path} has the version ${version}, ${fabric} is wanted`);
  if (peer.version !== orderer.version)
    throw new TranslateError(
      'BAD_NODE',
      `${peer.path} has the version ${peer.version}, ${orderer.path} has ${orderer.version}`,
    );
  return { orderer, peer };
}

/** The directory for the files of the nodes. @throws TranslateError BAD_FILE */
function directoryOf(keep: string | undefined): { readonly path: string; readonly remove: () => void } {
  if (keep === undefined) return temporaryDirectory('rehearsal-');
  let isEmpty = false;
  try {
    mkdirSync(keep, { recursive: true, mode: 0o700 });
    isEmpty = readdirSync(keep).length === 0;
  } catch (error) {
    throw new TranslateError('BAD_FILE', (error as Error).message);
  }
  if (!isEmpty) throw new TranslateError('BAD_FILE', `${keep} is not empty`);
  return { path: resolve(keep), remove: () => {} };
}

type Tries = Pick<Rehearsal, 'failedBefore' | 'updates' | 'oneDown' | 'restarted' | 'worked' | 'review'>;

/** One run of a copy. */
class Run {
  readonly #made: MadeCopy;
  readonly #programs: Programs;
  /** The version of the programs, if a review knows it. */
  readonly #versions: readonly string[];
  readonly #directory: string;
  readonly #members: Membership;
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: (step: string) => void;
  /** What the reviews of the updates so far found. */
  #findings: readonly Finding[] = [];

  constructor(
    made: MadeCopy,
    programs: Programs,
    directory: string,
    members: Membership,
    { signal, onProgress = () => {} }: RehearseOptions,
  ) {
    this.#made = made;
    this.#programs = programs;
    this.#versions = [programs.orderer.version].filter(isFabricVersion);
    this.#directory = directory;
    this.#members = members;
    this.#signal = signal;
    this.#onProgress = onProgress;
  }

  /** Starts the nodes, tries everything, and stops them. */
  async all(updates: readonly RehearsedUpdate[], block: ConfigFile, now: Date): Promise<Tries> {
    const { copy } = this.#made;
    this.#onProgress(`starting ${copy.nodes.length} nodes`);
    const network = await startNetwork(copy, {
      programs: this.#programs,
      directory: this.#directory,
      signal: this.#signal,
    });
    try {
      const looks = new Looks(network, {
        config: readConfigFile(copy.genesis).config,
        patience: (loss) => this.#patience(loss),
        signal: this.#signal,
      });
      this.#onProgress('before the update');
      const failedBefore = await looks.look('before', false);
      // Where nothing works, nothing can be lost: that is no good news.
      if (looks.worked.length === 0)
        throw notCopied(
          'the channel',
          `nothing works in the copy before the update: ${failedBefore[0]?.reason}`,
        );
      const outcomes = await this.#submitAll(network, looks, updates, block, now);
      const isChanged = outcomes.some(({ outcome }) => outcome === 'accepted' || outcome === 'unordered');
      const oneDown = isChanged ? await this.#stopOne(network, looks) : null;
      const restarted = isChanged ? { losses: await this.#restart(network, looks) } : null;
      const losses = lossesOf({ updates: outcomes, oneDown, restarted });
      const compared = compareLosses(this.#findings, losses, this.#members);
      return {
        failedBefore,
        updates: outcomes,
        oneDown,
        restarted,
        worked: looks.worked,
        review: isChanged ? compared : { ...compared, notSeen: [], notTried: [] },
      };
    } finally {
      await stopAll(network, 'SIGKILL');
    }
  }

  #patience(loss: Loss): number {
    if (loss.phase === 'before') return PATIENCE.before;
    if (isForetold(this.#findings, loss, this.#members)) return PATIENCE.foretold;
    return REFUSED.test(loss.reason) ? PATIENCE.refused : PATIENCE.other;
  }

  async #submitAll(
    network: Network,
    looks: Looks,
    updates: readonly RehearsedUpdate[],
    block: ConfigFile,
    now: Date,
  ): Promise<readonly UpdateOutcome[]> {
    const outcomes: UpdateOutcome[] = [];
    let current = block;
    for (const [index, { name, update }] of updates.entries()) {
      const isLast = index === updates.length - 1;
      if (outcomes.some(({ outcome }) => outcome !== 'accepted')) {
        outcomes.push({ name, outcome: 'skipped', reason: '', losses: [] });
        continue;
      }
      this.#onProgress(`submitting ${name}`);
      const { findings } = await review(update, current, { now, fabric: this.#versions });
      const before = this.#findings;
      this.#findings = [...before, ...findings];
      current = { ...current, config: applyUpdate(current.config, update.update).config };
      const outcome = await this.#submit(network, looks, index, isLast);
      // What a refused update would do does not happen.
      if (outcome.outcome === 'refused' || outcome.outcome === 'unserved') this.#findings = before;
      outcomes.push({ name, ...outcome });
      await this.#renew(network, index);
    }
    return outcomes;
  }

  async #submit(
    network: Network,
    looks: Looks,
    index: number,
    isLast: boolean,
  ): Promise<Omit<UpdateOutcome, 'name'>> {
    const { envelope } = this.#made.copy.updates[index]!;
    // An update before it may have taken the channel from everybody.
    const newest = await newestConfig(network).catch((error: Error) => error);
    this.#signal?.throwIfAborted();
    if (newest instanceof Error) return { outcome: 'unserved', reason: newest.message, losses: [] };
    const answer = await submitTo(network, envelope, newest, this.#signal);
    if (answer.status !== ACCEPTED) return { ...refusalOf(answer), losses: [] };
    let unordered: string | undefined;
    try {
      await untilOrdered(network, newest);
    } catch (error) {
      unordered = (error as Error).message;
    }
    await peersHaveMore(network, newest, this.#signal);
    this.#onProgress('after the update');
    const losses = await looks.look('after', isLast);
    if (unordered === undefined) return { outcome: 'accepted', reason: '', losses };
    const loss: Loss = { phase: 'after', probe: 'order', who: ALL, reason: unordered };
    const isKnown = losses.some(({ probe }) => probe === 'order' || probe === 'fetch');
    return isKnown
      ? { outcome: 'accepted', reason: '', losses }
      : { outcome: 'unordered', reason: unordered, losses: [...losses, loss] };
  }

  /** Installs the certificates that an update gives to orderers, and restarts them, as their admins do. */
  async #renew({ orderers }: Network, index: number): Promise<void> {
    for (const node of this.#made.copy.nodes) {
      const renewal = node.renewals?.get(index);
      const running = orderers.find(({ values }) => values.name === node.name);
      if (renewal === undefined || running === undefined) continue;
      this.#onProgress(`restarting ${node.name} with its new certificates`);
      await running.stop();
      writeNode({ ...node, ...renewal }, join(this.#directory, node.name), running.values.ports);
      // The next look finds a node that does not start.
      await running.start({}, this.#signal).catch(() => this.#signal?.throwIfAborted());
    }
  }

  async #stopOne(network: Network, looks: Looks): Promise<Rehearsal['oneDown']> {
    const spare = spareOrderer(network, looks.config);
    if (spare === undefined) return null;
    this.#onProgress(`while ${spare.values.name} is stopped`);
    await spare.stop();
    return { node: spare.values.name, losses: await looks.look('one down', true) };
  }

  async #restart(network: Network, looks: Looks): Promise<readonly Loss[]> {
    this.#onProgress('after a restart of all nodes');
    await restartAll(network, this.#signal);
    return looks.look('restarted', true);
  }
}

/** `common.Status.SUCCESS` */
const ACCEPTED = 200;
const SERVICE_UNAVAILABLE = 503;

const refusalOf = ({ status, reason }: Answer): Pick<UpdateOutcome, 'outcome' | 'reason'> => ({
  outcome: status === undefined || status === SERVICE_UNAVAILABLE ? 'unserved' : 'refused',
  reason,
});
