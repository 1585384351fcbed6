// What can happen in a simulation. An action begins and, after a time, ends; it has no effect where it is not possible, so that each part of
// a list of actions is a valid list.

import type { Random } from '../fuzz/random.js';
import type { SimulatedAgent } from './agent.js';
import type { End, SimulatedFabric } from './fabric.js';
import type { SimulatedNetwork } from './network.js';
import type { SimulatedReceiver } from './receiver.js';
import { nodeOf, type Setup } from './setup.js';
import type { SimulatedTime } from './time.js';

/** An action. */
export interface Action {
  /** When it begins, in seconds since the start of the simulation. */
  readonly at: number;
  readonly what: ActionKind;
  /** The node, the channel, the host, or the host and its receiver. */
  readonly whom: string;
  /** How long it lasts, in seconds. */
  readonly for: number;
  /** The other host, the silenced node or channel, or how far a clock steps in seconds. */
  readonly with?: string;
}

/** What actions change. A function returns false, or undefined, if it has no effect. */
export interface Changeable {
  readonly time: SimulatedTime;
  readonly fabric: SimulatedFabric;
  readonly network: SimulatedNetwork;
  readonly receivers: readonly SimulatedReceiver[];
  agent(host: string): SimulatedAgent;
  endNode(name: string, how: End): boolean;
  startNode(name: string): void;
  stopAgent(host: string): boolean;
  killAgent(host: string): boolean;
  startAgent(host: string): void;
  losePower(host: string): boolean;
  boot(host: string): void;
  /** Silences a node or a channel at an agent, for some seconds. @returns ends the silence, unless it is forgotten */
  silence(host: string, scope: string, seconds: number, isForgotten: boolean): (() => void) | undefined;
}

/** A kind of action. */
interface Kind {
  /** How often it is drawn. */
  readonly weight: number;
  readonly durations: readonly number[];
  readonly draw: (random: Random, setup: Setup) => Pick<Action, 'whom' | 'with'>;
  /** @returns the end; undefined: the action had no effect */
  readonly begin: (world: Changeable, action: Action) => (() => void) | undefined;
}

const hostNames = ({ hosts }: Setup): string[] => hosts.map(({ name }) => name);
const nodeNames = (setup: Setup): string[] =>
  hostNames(setup).flatMap((host) => [nodeOf('orderer', host), nodeOf('peer', host)]);

const someNode = (random: Random, setup: Setup) => ({ whom: random.pick(nodeNames(setup)) });
const someHost = (random: Random, setup: Setup) => ({ whom: random.pick(hostNames(setup)) });
const someReceiver = (random: Random, { hosts }: Setup) => {
  const host = random.pick(hosts);
  return { whom: `${host.name}/${random.pick(host.notifiers).name}` };
};
const someScope = (random: Random, setup: Setup) => ({
  ...someHost(random, setup),
  with: random.pick([...nodeNames(setup), ...setup.channels]),
});

const SHORT = [3, 10, 30];
const LONG = [70, 120, 300, 600];

const ends =
  (how: 'crashed' | 'killed' | 'stopped'): Kind['begin'] =>
  (world, { whom }) =>
    world.endNode(whom, how) ? () => world.startNode(whom) : undefined;

const responds =
  (how: 'hangs' | 'late' | 'refuses'): Kind['begin'] =>
  (world, { whom }) => {
    const receiver = world.receivers.find(({ host, setup }) => `${host}/${setup.name}` === whom);
    if (receiver?.response !== 'accepts') return undefined;
    receiver.response = how;
    return () => (receiver.response = 'accepts');
  };

const silences =
  (isForgotten: boolean): Kind['begin'] =>
  (world, { whom, with: scope = '', for: seconds }) =>
    world.silence(whom, scope, isForgotten ? seconds : 4 * seconds, isForgotten);

const KINDS = {
  crash: { weight: 3, durations: [...SHORT, ...LONG], draw: someNode, begin: ends('crashed') },
  kill: { weight: 4, durations: [...SHORT, ...LONG], draw: someNode, begin: ends('killed') },
  /** SIGTERM; usually it starts at once. */
  restart: { weight: 6, durations: [1, 1, 1, 2, 20, 40], draw: someNode, begin: ends('stopped') },
  stop: { weight: 2, durations: LONG, draw: someNode, begin: ends('stopped') },
  freeze: {
    weight: 3,
    durations: [...SHORT, ...LONG],
    draw: someNode,
    begin: ({ fabric }, { whom }) =>
      fabric.freeze(fabric.node(whom)) ? () => fabric.thaw(fabric.node(whom)) : undefined,
  },
  'fill the disk': {
    weight: 2,
    durations: LONG,
    draw: someNode,
    begin({ fabric }, { whom }) {
      const node = fabric.node(whom);
      if (node.isDiskFull) return undefined;
      fabric.setDisk(node, true);
      return () => fabric.setDisk(node, false);
    },
  },
  disturb: {
    weight: 2,
    durations: [5, 20, 60, 120, 300],
    draw: (random, { channels }) => ({ whom: random.pick(channels) }),
    begin({ fabric }, { whom }) {
      const channel = fabric.channels.get(whom)!;
      if (channel.isDisturbed) return undefined;
      fabric.disturb(channel, true);
      return () => fabric.disturb(channel, false);
    },
  },
  'remove the consenter': {
    weight: 1,
    durations: LONG,
    draw: (random, setup) => ({
      whom: random.pick(setup.channels),
      with: nodeOf('orderer', random.pick(hostNames(setup))),
    }),
    begin({ fabric }, { whom, with: name = '' }) {
      const [channel, node] = [fabric.channels.get(whom)!, fabric.node(name)];
      if (channel.leader === undefined || !channel.consenters.has(node) || channel.consenters.size < 3)
        return undefined;
      fabric.setConsenter(channel, node, false);
      return () => fabric.setConsenter(channel, node, true);
    },
  },
  'restart the agent': {
    weight: 3,
    durations: [1, 5, 30],
    draw: someHost,
    begin: (world, { whom }) => (world.stopAgent(whom) ? () => world.startAgent(whom) : undefined),
  },
  'kill the agent': {
    weight: 2,
    durations: [1, 5, 30, 120],
    draw: someHost,
    begin: (world, { whom }) => (world.killAgent(whom) ? () => world.startAgent(whom) : undefined),
  },
  'freeze the agent': {
    weight: 2,
    durations: [2, 15, 60, 300],
    draw: someHost,
    begin(world, { whom, for: seconds }) {
      const process = world.agent(whom).process;
      if (process === undefined) return undefined;
      process.frozenUntil = Math.max(process.frozenUntil, world.time.now + seconds * 1000);
      return () => undefined;
    },
  },
  'starve the agent': {
    weight: 2,
    durations: [60, 300],
    draw: someHost,
    begin(world, { whom }) {
      const process = world.agent(whom).process;
      if (process === undefined) return undefined;
      process.lateBy = 700;
      return () => (process.lateBy = 0);
    },
  },
  'lose the host': {
    weight: 2,
    durations: [40, 120, 300, 600],
    draw: someHost,
    begin: (world, { whom }) => (world.losePower(whom) ? () => world.boot(whom) : undefined),
  },
  cut: {
    weight: 2,
    durations: [10, 70, 300],
    draw(random, setup) {
      const from = random.pick(hostNames(setup));
      const others = hostNames(setup).filter((name) => name !== from);
      return { whom: from, with: others.length === 0 ? from : random.pick(others) };
    },
    begin: ({ network }, { whom, with: to = '' }) => network.cut(whom, to),
  },
  refuse: { weight: 1, durations: [30, 120, 300], draw: someReceiver, begin: responds('refuses') },
  hang: { weight: 1, durations: [30, 120], draw: someReceiver, begin: responds('hangs') },
  'respond late': { weight: 1, durations: [60, 300], draw: someReceiver, begin: responds('late') },
  silence: { weight: 2, durations: [120, 400], draw: someScope, begin: silences(false) },
  'forget a silence': { weight: 1, durations: [120, 3600], draw: someScope, begin: silences(true) },
  step: {
    weight: 1,
    durations: [60, 300],
    draw: (random, setup) => ({
      ...someHost(random, setup),
      with: random.pick(['7200', '-7200', '200', '-200', '86400']),
    }),
    begin(world, { whom, with: seconds = '0' }) {
      const { clock } = world.agent(whom);
      clock.ahead += Number(seconds) * 1000;
      return () => (clock.ahead -= Number(seconds) * 1000);
    },
  },
} as const satisfies Record<string, Kind>;

/** The name of a kind of action. */
export type ActionKind = keyof typeof KINDS;

/** Begins an action. @returns its end; undefined: it had no effect */
export const begin = (world: Changeable, action: Action): (() => void) | undefined =>
  (KINDS[action.what] as Kind).begin(world, action);

const WEIGHTED = Object.entries<Kind>(KINDS).flatMap(([what, { weight }]) =>
  Array.from({ length: weight }, () => what as ActionKind),
);

const DAY = 86_400;
/** How many times a day something happens, how many actions that is at most, and within how many seconds. */
const EPISODES = { perDay: 2, most: 4, within: 240 };

/** Draws what happens in some days, in the order of time. */
export function drawActions(random: Random, setup: Setup, days: number): Action[] {
  const actions: Action[] = [];
  for (let episode = 0; episode < days * EPISODES.perDay; episode += 1) {
    const start =
      Math.floor((episode * DAY) / EPISODES.perDay) + 600 + random.below(DAY / EPISODES.perDay - 3_600);
    for (let count = 1 + random.below(EPISODES.most); count > 0; count -= 1) {
      const what = random.pick(WEIGHTED);
      const { durations, draw }: Kind = KINDS[what];
      actions.push({
        at: start + random.below(EPISODES.within),
        what,
        ...draw(random, setup),
        for: random.pick(durations),
      });
    }
  }
  return actions.toSorted((a, b) => a.at - b.at);
}
