// The verdict about a channel compared with what its orderers do, while they are killed, frozen and started again at random: an agent
// runs beside all nodes, and a client sends envelopes. CHANNEL_SOAK_SECONDS sets the time; a release is tested with 1800.
// CHANNEL_SOAK_SEED chooses other states.

import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import type { StatusDocument } from '../../core/status/index.js';
import { createRandom, type Random } from '../fuzz/random.js';
import { check, eventually } from './daemon.js';
import { startBeside, type NodeAgent } from './fabric/agent.js';
import { send } from './fabric/endpoint.js';
import { CHANNEL } from './fabric/network-files.js';
import { startNetwork, type NetworkOptions } from './fabric/network.js';
import type { FabricNode } from './fabric/node.js';
import { startOrdering } from './fabric/ordering.js';

const SECONDS = Number(process.env.CHANNEL_SOAK_SECONDS ?? 75);
const SEED = Number(process.env.CHANNEL_SOAK_SEED ?? 35);
const IS_LONG = SECONDS >= 600;
/** How long a state of the orderers lasts, in seconds. */
const HOLD = IS_LONG ? { from: 30, to: 90 } : { from: 25, to: 35 };
/** How long the channel may be called stopped while blocks come, in milliseconds; longer in the short run, whose machine may be busy. */
const LIMIT = IS_LONG ? 10_000 : 20_000;
/** How long nothing may be said while no block comes: a frozen orderer is noticed after 9 s, envelopes that wait after another 5 s. */
const SILENT_LIMIT = LIMIT + 5_000;
/** An envelope may be ordered that an orderer had when it was killed, and a block is seen a moment after it is made; in milliseconds. */
const DELAY = 2_000;

/** Without a block for this long, blocks have not been coming out all the time; in milliseconds. An envelope is sent every two seconds. */
const PAUSE = 5_000;

/** Time between two looks at the agent, in milliseconds. */
const LOOK_INTERVAL = 1_000;

/** A network that is watched. */
interface Watched {
  readonly name: string;
  readonly options: NetworkOptions;
  /** How many orderers must take part. */
  readonly quorum: number;
}

const NETWORKS: readonly Watched[] = [
  { name: 'Raft', options: { orderers: 3 }, quorum: 2 },
  { name: 'BFT', options: { orderers: 4, consensus: 'BFT' }, quorum: 3 },
];

/** What the agent said; times are milliseconds of `performance.now()`. */
interface Look {
  readonly at: number;
  readonly verdict: string;
  readonly reason: string;
  /** What the orderers say of the consensus. */
  readonly views: string;
}

/** A change of the state of the orderers. */
interface Change {
  readonly at: number;
  readonly text: string;
  readonly verdict: string;
}

/** What happened to a network. */
interface Observed {
  readonly start: number;
  readonly looks: readonly Look[];
  readonly changes: readonly Change[];
  /** When blocks came out. */
  readonly blocks: readonly number[];
}

test.serial(
  `for ${SECONDS} s of kills and freezes, no channel is called stopped that orders envelopes, nor working that orders none`,
  async (t) => {
    t.timeout((SECONDS + 300) * 1_000);
    const random = createRandom(SEED);
    const soaks: (() => Promise<Observed>)[] = [];
    for (const network of NETWORKS)
      soaks.push(await prepare(t, network, createRandom(random.below(2 ** 31))));
    const records = await Promise.all(soaks.map((soak) => soak()));
    const found: string[] = [];
    for (const [index, record] of records.entries()) {
      const { name } = NETWORKS[index]!;
      const { looks, changes, blocks } = record;
      const differences = differencesOf(record);
      for (const line of timelineOf(record)) t.log(name, line);
      t.log(
        `${name}: ${looks.length} looks, ${changes.length} changes, ${blocks.length} blocks, ${differences.length} differences`,
      );
      t.log(name, 'delay of the verdict in ms', delaysOf(record));
      found.push(...differences.map((line) => `${name} ${line}`));
      t.true(blocks.length > 0);
    }
    t.deepEqual(found, []);
  },
);

/** Starts a network; returns what soaks it. */
async function prepare(
  t: ExecutionContext,
  { options, quorum }: Watched,
  random: Random,
): Promise<() => Promise<Observed>> {
  const network = await startNetwork(t, options);
  const { orderers, peers } = network;
  const agent = await startBeside(t, [...peers, ...orderers], {
    // The default of the agent; that of the tests is shorter.
    environment: { FABRIC_OPS_AGENT_HEALTH_INTERVAL: '10s' },
  });
  const untilWorking = (): Promise<void> =>
    eventually(async () => {
      const { verdict, reason, views } = await look(agent);
      check(verdict === 'working', `${verdict}: ${reason}; ${views}`);
    }, 120_000);
  return async () => {
    await untilWorking();
    const ordering = await startOrdering(t, network);
    const start = performance.now();
    const observer = observe(t, agent);
    const states = new States(orderers, quorum, random);
    const left = (): number => SECONDS * 1_000 - (performance.now() - start);
    while (left() > 1_000) {
      await states.change();
      const hold = 1_000 * (HOLD.from + random.below(HOLD.to - HOLD.from + 1));
      await sleep(Math.max(0, Math.min(hold, left())));
    }
    await states.restore();
    await untilWorking();
    const looks = await observer.stop();
    await ordering.stop();
    return { start, looks, changes: states.changes, blocks: ordering.blocks };
  };
}

type State = 'up' | 'killed' | 'frozen';

/** The states of the orderers. */
class States {
  readonly changes: Change[] = [];
  readonly #orderers: readonly FabricNode[];
  readonly #quorum: number;
  readonly #random: Random;
  #states: readonly State[];

  constructor(orderers: readonly FabricNode[], quorum: number, random: Random) {
    this.#orderers = orderers;
    this.#quorum = quorum;
    this.#random = random;
    this.#states = orderers.map(() => 'up');
  }

  /** Changes the states to others: any number of orderers may be killed or frozen, most often one or two. */
  async change(): Promise<void> {
    const { below, pick } = this.#random;
    const others = this.#orderers.map((_, index) => index);
    const count = pick([0, 0, 1, 1, 1, 2, 2, this.#orderers.length]);
    const out = new Set(Array.from({ length: count }, () => others.splice(below(others.length), 1)[0]));
    const states = this.#states.map((_, index): State =>
      out.has(index) ? pick(['killed', 'frozen']) : 'up',
    );
    if (states.every((state, index) => state === this.#states[index])) await this.change();
    else await this.#set(states);
  }

  /** Lets all orderers run. */
  restore(): Promise<void> {
    return this.#set(this.#states.map(() => 'up'));
  }

  async #set(states: readonly State[]): Promise<void> {
    const texts = states.flatMap((state, index) =>
      state === this.#states[index] ? [] : [`${this.#orderers[index]!.name} ${state}`],
    );
    const present = states.filter((state) => state === 'up').length;
    const verdict = present < this.#quorum ? 'stopped' : present === this.#quorum ? 'at-risk' : 'working';
    if (texts.length === 0) return;
    this.changes.push({ at: performance.now(), text: texts.join(', '), verdict });
    await Promise.all(this.#orderers.map((node, index) => move(node, this.#states[index]!, states[index]!)));
    this.#states = states;
  }
}

async function move(node: FabricNode, from: State, to: State): Promise<void> {
  if (from === to) return;
  if (to === 'killed') await node.stop('SIGKILL');
  else if (from === 'frozen') node.resume();
  else if (from === 'killed') await node.start();
  if (to === 'frozen') node.pause();
}

/** What the agent says of the channel now. */
async function look(agent: NodeAgent): Promise<Look> {
  const { channels, nodes } = JSON.parse((await send(agent, '/status')).body) as Pick<
    StatusDocument,
    'channels' | 'nodes'
  >;
  const { verdict = '', reason = '' } = channels.find(({ name }) => name === CHANNEL) ?? {};
  const views = nodes.flatMap(({ name, channels: own }) =>
    own.flatMap(({ name: channel, consensus }) =>
      channel === CHANNEL && consensus !== undefined ? [`${name}: ${JSON.stringify(consensus)}`] : [],
    ),
  );
  return { at: performance.now(), verdict, reason, views: views.join(', ') };
}

/** Looks at the agent each second; a response takes longer while a node is frozen. */
function observe(t: ExecutionContext, agent: NodeAgent): { stop: () => Promise<readonly Look[]> } {
  const looks: Promise<Look>[] = [];
  const timer = setInterval(() => {
    const next = look(agent);
    // The agent is stopped when the test has failed.
    next.catch(() => undefined);
    looks.push(next);
  }, LOOK_INTERVAL);
  t.teardown(() => clearInterval(timer));
  return {
    async stop() {
      clearInterval(timer);
      looks.push(look(agent));
      return (await Promise.all(looks)).toSorted((a, b) => a.at - b.at);
    },
  };
}

/** What the reason says when nothing is ordered for now. */
const IS_SAID =
  /an election is in progress|a change of the view is in progress|orders nothing|envelopes wait|the leader reaches/;

/**
 * The looks at which the verdict was wrong for too long:
 *
 * - `stopped`, while envelopes are ordered that were sent after the last change: at once if blocks have been coming out all the time, after the
 *   limit if they come out again;
 * - `working` or `at-risk` without a reason why nothing is ordered, while no block comes out.
 */
function differencesOf({ looks, changes, blocks, start }: Observed): readonly string[] {
  let worksSince: number | undefined;
  return looks.flatMap(({ at, verdict, reason, views }) => {
    const last = blocks.findLast((block) => block <= at) ?? start;
    const changed = changes.findLast((change) => change.at <= at)?.at ?? start;
    const works = (verdict === 'working' || verdict === 'at-risk') && !IS_SAID.test(reason);
    worksSince = works ? (worksSince ?? at) : undefined;
    const isOrdering = last > changed + DELAY && at - last < LIMIT;
    const isFalse = verdict === 'stopped' && isOrdering && at - runStart(blocks, last) > LIMIT;
    const isMissed = worksSince !== undefined && at - Math.max(last, worksSince) > SILENT_LIMIT;
    if (!isFalse && !isMissed) return [];
    const ago = ((at - last) / 1000).toFixed(1);
    return [
      `${timeText(at - start)} ${isFalse ? 'false' : 'missed'}: ${verdict}: ${reason}; last block ${ago} s ago; ${views}`,
    ];
  });
}

/** The first block before which there was a pause, of those up to a block. */
function runStart(blocks: readonly number[], last: number): number {
  const before = blocks.filter((block) => block <= last);
  const index = before.findLastIndex((block, each) => each === 0 || block - before[each - 1]! > PAUSE);
  return before[index] ?? last;
}

/** How long the verdicts took that differ from those before. */
function delaysOf({ looks, changes }: Observed): object {
  const found: Record<'worse' | 'better', number[]> = { worse: [], better: [] };
  for (const [index, { at, verdict }] of changes.entries()) {
    const before = changes[index - 1]?.verdict ?? 'working';
    if (verdict === before) continue;
    const end = changes[index + 1]?.at ?? Infinity;
    const seen = looks.find((each) => each.at > at && each.at < end && each.verdict === verdict);
    const order = ['working', 'at-risk', 'stopped'];
    const kind = order.indexOf(verdict) > order.indexOf(before) ? 'worse' : 'better';
    found[kind].push(seen === undefined ? Infinity : Math.round(seen.at - at));
  }
  return Object.fromEntries(
    Object.entries(found).map(([kind, delays]) => [
      kind,
      { count: delays.length, median: median(delays), maximum: Math.max(...delays) },
    ]),
  );
}

/** The changes, the verdicts when they differ from those before, and when blocks came out. */
function timelineOf({ start, looks, changes, blocks }: Observed): readonly string[] {
  const said = looks.filter(
    ({ verdict, reason }, index) =>
      `${verdict}${reason}` !== `${looks[index - 1]?.verdict}${looks[index - 1]?.reason}`,
  );
  const gaps = blocks.flatMap((at, index) => {
    const next = blocks[index + 1];
    return next !== undefined && next - at > LIMIT
      ? [
          { at, text: 'no more blocks' },
          { at: next, text: 'blocks again' },
        ]
      : [];
  });
  return [
    ...changes.map(({ at, text }) => ({ at, text: `- ${text}` })),
    ...said.map(({ at, verdict, reason }) => ({ at, text: `  ${verdict}: ${reason}` })),
    ...gaps.map(({ at, text }) => ({ at, text: `    ${text}` })),
  ]
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, text }) => `${timeText(at - start)} ${text}`);
}

const timeText = (milliseconds: number): string => (milliseconds / 1_000).toFixed(1).padStart(7);

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
