// Runs one case: a fresh network, its updates with their reviews, a look, a restart, another look.

import { setTimeout as sleep } from 'node:timers/promises';
import { readFileSync } from 'node:fs';
import { readConfigFile, readUpdateFile } from '../../translator/channel/index.js';
import type { ConfigBlock } from '../../translator/rehearse/channel.js';
import { Looks, peersHaveMore, untilOrdered } from '../../translator/rehearse/looks.js';
import { ALL, type Loss } from '../../translator/rehearse/losses.js';
import { newestConfig, restartAll, submitTo, type Network } from '../../translator/rehearse/network.js';
import { SOON } from '../../translator/rehearse/node-files.js';
import { review, type Finding } from '../../translator/review/index.js';
import { startNetwork, type FabricNetwork } from '../e2e/fabric/network.js';
import { genesisBlock } from '../e2e/fabric/network-files.js';
import { findFabric } from '../e2e/fabric/programs.js';
import type { Owner } from '../helpers/folder.js';
import { isRoutine, NETS, versionsOf, type HarmCase, type Update } from './case.js';
import { signedUpdate, withPeople } from './channel.js';
import { isDifferent, rehearseAgain, type Rehearsed } from './rehearsed.js';
import { isNamed, judge } from './judge.js';

/** Longest time of a case, in milliseconds: one that takes longer is cut off, and does not count. */
const CASE_DEADLINE = 300_000;
/** How long something that fails is tried again, in milliseconds: if the review names its loss, and if it does not. */
const PATIENCE = { named: 5_000, unnamed: 45_000 } as const;
/** How long an accepted update that is in no block is waited for, in milliseconds, if the review does not name that. */
const NO_BLOCK = 45_000;

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
  /** How a rehearsal of the same updates differs; null if there was none. */
  readonly rehearsed: Rehearsed | null;
}

/** Whether something of a case is to be reported. */
export const hasDisagreement = (report: CaseReport): boolean =>
  report.notCounted === null &&
  (report.notNamed.length > 0 ||
    report.falseDangers.length > 0 ||
    report.acceptance.some(isDisagreement) ||
    (report.rehearsed !== null && isDifferent(report.rehearsed)) ||
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
 * @param isRehearsed whether the updates are rehearsed too, when the network has ended
 */
export async function runCase(
  harmCase: HarmCase,
  firstPort: number,
  isRehearsed: boolean,
): Promise<CaseReport> {
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
  const losses = seen.steps.flatMap((step) => step.losses);
  const isPossible = isRehearsed && notCounted === null && seen.acceptance.length > 0;
  const programs = findFabric(versionsOf(harmCase.releases)[0]).bin;
  return {
    id: harmCase.id,
    net: harmCase.net,
    releases: harmCase.releases,
    updates: harmCase.updates.map(({ text }) => text),
    isRoutine: isEveryDangerFalse,
    notCounted,
    acceptance: seen.acceptance,
    findings: seen.steps.flatMap(({ findings }) => findings.map(textOf)),
    losses,
    notNamed,
    falseDangers: [...falseDangers, ...(isEveryDangerFalse ? notSeen : [])].map(textOf),
    notSeen: notSeen.map(textOf),
    seconds: Math.round((performance.now() - start) / 1000),
    rehearsed: isPossible ? await rehearseAgain(seen.acceptance, losses, programs) : null,
  };
}

/** What is known of a case so far. */
interface Seen {
  readonly acceptance: Acceptance[];
  /** One for each update that the network accepted if it is checked after each, else one for all. */
  readonly steps: { findings: Finding[]; losses: Loss[] }[];
}

/** The variables of {@link SOON}. */
const SOON_VARIABLES = Object.fromEntries(
  Object.entries(SOON).map(([path, value]) => [
    `CORE_${path.toUpperCase().replaceAll('.', '_')}`,
    String(value),
  ]),
);

/** What is checked. */
interface Place {
  /** For edits, which read certificates. */
  readonly files: FabricNetwork;
  readonly network: Network;
  readonly isNamed: (loss: Loss) => boolean;
}

async function observe(owner: Owner, harmCase: HarmCase, firstPort: number, seen: Seen): Promise<void> {
  const files = await started(owner, harmCase, firstPort);
  const network = await withPeople(files);
  owner.teardown(() => network.connections.close());
  const place: Place = { files, network, isNamed: (loss) => isNamed(seen.steps, loss) };
  const looks = new Looks(network, {
    config: readConfigFile(readFileSync(genesisBlock(files.directory))).config,
    patience: (loss) => PATIENCE[place.isNamed(loss) ? 'named' : 'unnamed'],
  });
  const [broken] = await looks.look('before', false);
  if (broken !== undefined)
    throw new NotCounted(`the network does not work: ${broken.probe} ${broken.who}: ${broken.reason}`);
  for (const update of harmCase.updates) {
    const count = seen.steps.length;
    if (!(await submit(place, harmCase, update, seen))) break;
    if (harmCase.isStepwise && seen.steps.length > count)
      stepOf(seen).losses.push(...(await looks.look('after', true)));
  }
  if (harmCase.updates.length > 0 && seen.acceptance.length === 0)
    throw new NotCounted('the updates change nothing');
  if (harmCase.updates.length > 0 && !seen.acceptance.some((each) => each.network === 'accepted')) return;
  const { losses } = stepOf(seen);
  if (!harmCase.isStepwise) losses.push(...(await looks.look('after', true)));
  await restartAll(network);
  losses.push(...(await looks.look('restarted', true)));
}

/** The last step; the first one if there is none. */
function stepOf({ steps }: Seen): Seen['steps'][number] {
  if (steps.length === 0) steps.push({ findings: [], losses: [] });
  return steps.at(-1)!;
}

/** The network of a case. @throws NotCounted if it does not start */
async function started(owner: Owner, { net, releases }: HarmCase, firstPort: number): Promise<FabricNetwork> {
  const options = {
    version: versionsOf(releases),
    organisations: 2,
    hasAnchorPeers: true,
    variables: SOON_VARIABLES,
    firstPort,
  };
  try {
    return await startNetwork(owner, { ...NETS[net], ...options });
  } catch (error) {
    throw new NotCounted(`the network did not start: ${(error as Error).message.slice(0, 500)}`);
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
  const { files, network } = place;
  const isLater = seen.acceptance.length > 0;
  let before: ConfigBlock;
  try {
    before = await newestConfig(network);
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
    signedUpdate(
      before.bytes,
      network.people.filter(({ role }) => role === 'admin'),
      (channel) => update.edit(channel, files),
    ),
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
  const { status, reason } = await submitTo(network, envelope, before);
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

const NO_UPDATES: Loss = { phase: 'after', probe: 'order', who: ALL, reason: '' };

/** Undefined if the update changes nothing. */
async function made<T>({ text }: Update, make: () => Promise<T>): Promise<T | undefined> {
  try {
    return await make();
  } catch (error) {
    if ((error as Error).message.startsWith('no differences detected')) return undefined;
    throw new NotCounted(`the update cannot be made: ${text}: ${(error as Error).message}`);
  }
}

/** Waits until the peers have the block of an update, or its time is over; a look finds what is lost. */
async function applied(
  { network, isNamed: isNamedHere }: Place,
  before: ConfigBlock,
  seen: Seen,
): Promise<void> {
  const start = performance.now();
  for (;;) {
    try {
      await untilOrdered(network, before);
      break;
    } catch (error) {
      // Nobody may be able to read it; the peers have it then.
      if (await peersHaveMore(network, before)) return;
      const loss: Loss = { phase: 'after', probe: 'order', who: ALL, reason: (error as Error).message };
      if (performance.now() - start > (isNamedHere(loss) ? 0 : NO_BLOCK)) {
        stepOf(seen).losses.push(loss);
        return;
      }
    }
  }
  await peersHaveMore(network, before);
}
