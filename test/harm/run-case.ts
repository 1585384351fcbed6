// Runs one case: a fresh network, its updates with their reviews, a look, a restart, another look.

import { setTimeout as sleep } from 'node:timers/promises';
import { readConfigFile, readUpdateFile } from '../../translator/channel/index.js';
import { review, type Finding } from '../../translator/review/index.js';
import { startNetwork, type FabricNetwork } from '../e2e/fabric/network.js';
import { heightOf } from '../e2e/fabric/harmful-updates.js';
import type { FabricNode } from '../e2e/fabric/node.js';
import type { Owner } from '../helpers/folder.js';
import { isRoutine, NETS, versionsOf, type HarmCase, type Update } from './case.js';
import { broadcast, disconnect, peopleOf, signedUpdate, type Answer, type ConfigBlock } from './channel.js';
import { isNamed, judge, type Loss } from './judge.js';
import { endOf, hasEnded, isOrdered, look, newestConfig, type Place } from './look.js';

/** Longest time of a case, in milliseconds: one that takes longer is cut off, and does not count. */
const CASE_DEADLINE = 300_000;
/** How long an update is submitted again while no orderer answers, in milliseconds. */
const NO_ANSWER = 45_000;
/** How long a new network may take to serve, in milliseconds. */
const UP_WITHIN = 60_000;
const PAUSE = 250;

/** What an orderer made of an update, and what the review said of that. */
export interface Acceptance {
  readonly review: boolean;
  /** `unserved`: no orderer answers, after an earlier update. */
  readonly network: 'accepted' | 'refused' | 'unserved';
  /** Whether it depends on the consenters that are alive or on what orderers may do, and an earlier update may have taken it from them. */
  readonly isConditional: boolean;
  readonly reason: string;
  /** What was reviewed, base64, so that the review can be repeated: the config block and the envelope. */
  readonly block: string;
  readonly envelope: string;
}

/** A finding as text. */
export type FindingText = string;

/** What a case has shown. */
export interface CaseReport {
  readonly id: string;
  readonly net: HarmCase['net'];
  readonly releases: readonly string[];
  readonly updates: readonly string[];
  readonly isRoutine: boolean;
  /** Why it does not count; null if it does. */
  readonly notCounted: string | null;
  readonly acceptance: readonly Acceptance[];
  readonly findings: readonly FindingText[];
  readonly losses: readonly Loss[];
  readonly notNamed: readonly Loss[];
  readonly falseDangers: readonly FindingText[];
  /** Dangers that cannot be seen here. */
  readonly notSeen: readonly FindingText[];
  readonly seconds: number;
}

/** Whether something of a case is to be reported. */
export const hasDisagreement = (report: CaseReport): boolean =>
  report.notCounted === null &&
  (report.notNamed.length > 0 ||
    report.falseDangers.length > 0 ||
    report.acceptance.some(isDisagreement) ||
    isHarmedByRoutine(report));

/** Whether routine updates are refused, or something is lost by them. */
const isHarmedByRoutine = ({ isRoutine: is, losses, acceptance }: CaseReport): boolean =>
  is && (losses.length > 0 || acceptance.some(({ network }) => network !== 'accepted'));

/** Whether review and network disagree about acceptance. */
export const isDisagreement = ({ review: isAccepted, network, isConditional }: Acceptance): boolean =>
  network !== 'unserved' &&
  isAccepted !== (network === 'accepted') &&
  !(isConditional && network === 'refused');

/** A case that does not count. */
class NotCounted extends Error {}

const textOf = ({ severity, id, path, text }: Finding): FindingText =>
  `${severity} ${id} ${path ?? ''}: ${text}`;

/**
 * Runs a case.
 *
 * @param firstPort of the ports of its nodes, of which it uses up to 20
 */
export async function runCase(harmCase: HarmCase, firstPort: number): Promise<CaseReport> {
  const start = performance.now();
  const ends: (() => unknown)[] = [];
  const owner: Owner = { teardown: (end) => void ends.push(end) };
  const seen: Seen = { acceptance: [], steps: [] };
  let notCounted: string | null = null;
  const timer = new AbortController();
  const deadline = sleep(CASE_DEADLINE, undefined, { signal: timer.signal }).then(
    () => {
      throw new NotCounted(`cut off after ${CASE_DEADLINE / 1000} s`);
    },
    () => undefined,
  );
  try {
    await Promise.race([observe(owner, harmCase, firstPort, seen), deadline]);
  } catch (error) {
    notCounted =
      error instanceof NotCounted ? error.message : `the laboratory failed: ${(error as Error).stack}`;
  } finally {
    timer.abort();
    for (const end of ends.toReversed()) await end();
  }
  const { notNamed, falseDangers, notSeen } = judge(seen.steps);
  const isEveryDangerFalse = isRoutine(harmCase);
  return {
    id: harmCase.id,
    net: harmCase.net,
    releases: harmCase.releases,
    updates: harmCase.updates.map(({ text }) => text),
    isRoutine: isEveryDangerFalse,
    notCounted,
    acceptance: seen.acceptance,
    findings: seen.steps.flatMap(({ findings }) => findings.map(textOf)),
    losses: seen.steps.flatMap(({ losses }) => losses),
    notNamed,
    falseDangers: [...falseDangers, ...(isEveryDangerFalse ? notSeen : [])].map(textOf),
    notSeen: notSeen.map(textOf),
    seconds: Math.round((performance.now() - start) / 1000),
  };
}

/** What is known of a case so far. */
interface Seen {
  readonly acceptance: Acceptance[];
  /** One for each update that the network accepted if it is checked after each, else one for all. */
  readonly steps: { findings: Finding[]; losses: Loss[] }[];
}

/** Peers that notice soon who is there, and soon ask an orderer again that had no leader. */
const SOON: Readonly<Record<string, string>> = {
  CORE_PEER_DELIVERYCLIENT_RECONNECTBACKOFFTHRESHOLD: '1s',
  CORE_PEER_GOSSIP_RECONNECTINTERVAL: '2s',
  CORE_PEER_GOSSIP_MEMBERSHIPTRACKERINTERVAL: '1s',
  CORE_PEER_GOSSIP_PUBLISHSTATEINFOINTERVAL: '1s',
  CORE_PEER_GOSSIP_REQUESTSTATEINFOINTERVAL: '1s',
};

async function observe(owner: Owner, harmCase: HarmCase, firstPort: number, seen: Seen): Promise<void> {
  const network = await networkOf(owner, harmCase, firstPort);
  owner.teardown(() => disconnect(network.orderers));
  const people = await peopleOf(network);
  const place: Place = { network, people, isNamed: (loss) => isNamed(seen.steps, loss) };
  await untilServed(place);
  for (const update of harmCase.updates) {
    const count = seen.steps.length;
    if (!(await submit(place, harmCase, update, seen))) break;
    if (harmCase.isStepwise && seen.steps.length > count)
      stepOf(seen).losses.push(...(await look(place, 'after')));
  }
  if (harmCase.updates.length > 0 && seen.acceptance.length === 0)
    throw new NotCounted('the updates change nothing');
  if (harmCase.updates.length > 0 && !seen.acceptance.some((each) => each.network === 'accepted')) return;
  const { losses } = stepOf(seen);
  if (!harmCase.isStepwise) losses.push(...(await look(place, 'after')));
  losses.push(...(await restart(network)));
  losses.push(...(await look(place, 'restarted')));
}

/** The last step; the first one if there is none. */
function stepOf({ steps }: Seen): Seen['steps'][number] {
  if (steps.length === 0) steps.push({ findings: [], losses: [] });
  return steps.at(-1)!;
}

/** The network of a case. @throws NotCounted if it does not start */
async function networkOf(
  owner: Owner,
  { net, releases }: HarmCase,
  firstPort: number,
): Promise<FabricNetwork> {
  const options = {
    version: versionsOf(releases),
    organisations: 2,
    hasAnchorPeers: true,
    variables: SOON,
    firstPort,
  };
  try {
    return await startNetwork(owner, { ...NETS[net], ...options });
  } catch (error) {
    throw new NotCounted(`the network did not start: ${(error as Error).message.slice(0, 500)}`);
  }
}

/** Waits until all peers have the first block and an orderer serves it. @throws NotCounted */
async function untilServed(place: Place): Promise<void> {
  const start = performance.now();
  for (;;) {
    try {
      await newestConfig(place);
      const heights = await Promise.all(place.network.peers.map(heightOf));
      if (heights.every((height) => height > 0)) return;
    } catch (error) {
      if (performance.now() - start > UP_WITHIN)
        throw new NotCounted(`the network did not serve the channel: ${(error as Error).message}`);
    }
    await sleep(PAUSE);
  }
}

/**
 * Makes, reviews and submits an update.
 *
 * @returns whether the network accepted it, or it changes nothing
 * @throws NotCounted if it cannot be made, or the first one gets no answer
 */
async function submit(
  place: Place,
  { releases, isStepwise }: HarmCase,
  update: Update,
  seen: Seen,
): Promise<boolean> {
  const { network, people } = place;
  const isLater = seen.acceptance.length > 0;
  let before: ConfigBlock;
  try {
    before = await newestConfig(place);
  } catch (error) {
    // The update before has taken reading from everybody.
    if (!isLater) throw error;
    seen.acceptance.push({
      review: true,
      network: 'unserved',
      isConditional: false,
      reason: (error as Error).message,
      block: '',
      envelope: '',
    });
    return false;
  }
  const envelope = await made(update, () =>
    signedUpdate(before.bytes, people.admins, (channel) => update.edit(channel, network)),
  );
  if (envelope === undefined) return true;
  const { accepted, acceptedIf, findings } = await review(
    readUpdateFile(envelope),
    readConfigFile(before.bytes),
    {
      now: new Date(),
      fabric: [...releases],
    },
  );
  const { status, reason } = await answerTo(place, envelope, before);
  const isUnserved = status === undefined || status === 503;
  if (isUnserved && !isLater) throw new NotCounted(`no orderer answered to the update: ${status} ${reason}`);
  const outcome = isUnserved ? 'unserved' : status === 200 ? 'accepted' : 'refused';
  seen.acceptance.push({
    review: accepted,
    network: outcome,
    isConditional: isLater && (acceptedIf !== null || isDangerForOrderers(seen)),
    reason,
    block: Buffer.from(before.bytes).toString('base64'),
    envelope: Buffer.from(envelope).toString('base64'),
  });
  if (outcome !== 'accepted') return false;
  if (isStepwise) seen.steps.push({ findings: [], losses: [] });
  stepOf(seen).findings.push(...findings);
  await applied(place, before, seen);
  return true;
}

/** Whether a danger of an earlier update says that orderers cannot accept updates any more. */
const isDangerForOrderers = ({ steps }: Seen): boolean =>
  steps.some(({ findings }) =>
    isNamed([{ findings: findings.filter(({ severity }) => severity === 'danger'), losses: [] }], NO_UPDATES),
  );

const NO_UPDATES: Loss = { phase: 'after', probe: 'order', who: 'orderers', reason: '' };

/** Undefined if the update changes nothing. */
async function made<T>({ text }: Update, make: () => Promise<T>): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    if ((error as Error).message.startsWith('no differences detected')) return undefined;
    throw new NotCounted(`the update cannot be made: ${text}: ${(error as Error).message}`);
  }
}

/** An orderer that knows no leader counts no consenter as alive (orderer/consensus/etcdraft/tracker.go). */
const NO_LEADER = /: 0 out of \d+ nodes are alive, /;

/** The answer of the orderers, one after the other, until one serves the channel and has its newest config. */
async function answerTo(
  { network, people }: Place,
  envelope: Uint8Array,
  { number }: ConfigBlock,
): Promise<Answer> {
  const start = performance.now();
  const isBehind = async (orderer: FabricNode): Promise<boolean> => {
    const own = await newestConfig({ network: { ...network, orderers: [orderer] }, people }).catch(
      () => undefined,
    );
    return own === undefined || own.number < number;
  };
  for (let count = 0; ; count++) {
    const orderer = network.orderers[count % network.orderers.length]!;
    const answer = await broadcast(orderer, envelope);
    const { status, reason } = answer;
    const isServed =
      status === 200 ||
      (status !== undefined && status !== 503 && !NO_LEADER.test(reason) && !(await isBehind(orderer)));
    if (isServed || performance.now() - start > NO_ANSWER) return answer;
    await sleep(PAUSE);
  }
}

/** How long peers may take to get the block of the update, in milliseconds: they may never get it. */
const APPLIED_WITHIN = 5_000;

/** Waits until the peers have the block of an update, or its time is over; {@link look} says what is lost. */
async function applied(place: Place, before: ConfigBlock, seen: Seen): Promise<void> {
  const start = performance.now();
  for (;;) {
    try {
      await isOrdered(place, before);
      break;
    } catch (error) {
      // Nobody may be able to read it; the peers have it then.
      if (await peersHave(place, before)) return;
      const loss = {
        phase: 'after',
        probe: 'order',
        who: 'orderers',
        reason: (error as Error).message,
      } as const;
      if (performance.now() - start > (place.isNamed(loss) ? 0 : NO_ANSWER)) {
        stepOf(seen).losses.push(loss);
        return;
      }
    }
  }
  await peersHave(place, before);
}

async function peersHave({ network }: Place, { number }: ConfigBlock): Promise<boolean> {
  const start = performance.now();
  while (performance.now() - start < APPLIED_WITHIN) {
    const heights = await Promise.all(network.peers.map((peer) => heightOf(peer).catch(() => NaN)));
    if (heights.every((height) => height > Number(number) + 1)) return true;
    await sleep(PAUSE);
  }
  return false;
}

/** How long a node may take to end, in milliseconds, before it is killed. */
const END_WITHIN = 10_000;

/** Stops all nodes, and starts them again; returns those that do not start. */
async function restart({ orderers, peers }: FabricNetwork): Promise<readonly Loss[]> {
  const nodes = [...orderers, ...peers];
  await Promise.all(nodes.map(stop));
  await disconnect(orderers);
  const losses = await Promise.all(
    nodes.map(async (node): Promise<Loss[]> => {
      try {
        await node.start();
        return [];
      } catch (error) {
        const reason = hasEnded(node) ? endOf(node) : (error as Error).message.slice(0, 300);
        return [{ phase: 'restarted', probe: 'start', who: node.name, reason }];
      }
    }),
  );
  return losses.flat();
}

async function stop(node: FabricNode): Promise<void> {
  const timer = new AbortController();
  const kill = sleep(END_WITHIN, undefined, { signal: timer.signal }).then(
    () => node.stop('SIGKILL'),
    () => undefined,
  );
  await node.stop();
  timer.abort();
  await kill;
}
