// A simulated world: hosts with agents, nodes and receivers, and what is true in it.

import { createHash } from 'node:crypto';
import { createRandom, type Random } from '../fuzz/random.js';
import type { StatusDocument } from '../../core/status/index.js';
import { begin, type Action, type Changeable } from './actions.js';
import { SimulatedAgent } from './agent.js';
import { SimulatedFabric, type End, type SimulatedNode } from './fabric.js';
import { SimulatedNetwork } from './network.js';
import { SimulatedReceiver } from './receiver.js';
import type { Setup } from './setup.js';
import { SimulatedTime } from './time.js';
import { Truth } from './truth.js';

/** How long nothing must happen until time is skipped, in milliseconds. */
const QUIET = 240_000;
/** The longest action in which no time is skipped, in milliseconds. */
const LONGEST = 900_000;
/** How often the status of the agents is read, in milliseconds. */
const SAMPLED = 15_000;

/** The status of an agent at a time. */
export interface Sample extends Pick<StatusDocument, 'channels' | 'problems'> {
  readonly at: number;
  readonly host: string;
}

/** What a stopped agent still did. */
export interface Left {
  readonly at: number;
  readonly host: string;
  readonly what: string;
}

/** What happened in a simulation. */
export interface History {
  readonly setup: Setup;
  readonly actions: readonly Action[];
  readonly truth: Truth;
  readonly receivers: readonly SimulatedReceiver[];
  readonly samples: readonly Sample[];
  readonly left: readonly Left[];
  /** The time of the end. */
  readonly end: number;
  /** When each action began, by the time of the simulation; without those that had no effect. */
  readonly begun: ReadonlyMap<Action, number>;
}

/** A world. */
export class World implements Changeable {
  readonly time = new SimulatedTime();
  readonly fabric: SimulatedFabric;
  readonly network = new SimulatedNetwork(this.time);
  readonly receivers: readonly SimulatedReceiver[];
  readonly truth = new Truth();
  /** The random numbers of the nodes and agents until the next action. */
  random: Random;
  readonly #setup: Setup;
  readonly #seed: number;
  readonly #agents: ReadonlyMap<string, SimulatedAgent>;
  readonly #ends = new Map<SimulatedNode, End>();
  readonly #samples: Sample[] = [];
  readonly #left: Left[] = [];
  readonly #begun = new Map<Action, number>();
  /** How many actions have begun and not ended, without those that are so long that time is skipped meanwhile. */
  #running = 0;
  /** The ends of the others, with the elapsed time at which they are due. */
  #ending: readonly { readonly at: number; readonly end: () => void }[] = [];

  constructor(setup: Setup, seed: number) {
    this.#setup = setup;
    this.#seed = seed;
    this.random = createRandom(seed);
    this.fabric = new SimulatedFabric(
      setup,
      this.time,
      () => this.random,
      () => this.#observe(),
    );
    this.receivers = setup.hosts.flatMap(({ name, notifiers }) =>
      notifiers.map((each) => new SimulatedReceiver(name, each, this.time)),
    );
    const hosts = setup.hosts.map(({ name }) => name);
    this.#agents = new Map(
      hosts.map((host) => [
        host,
        new SimulatedAgent(host, {
          time: this.time,
          fabric: this.fabric,
          network: this.network,
          hosts,
          receivers: this.receivers,
          onLeft: (name, what) => void this.#left.push({ at: this.time.now, host: name, what }),
        }),
      ]),
    );
  }

  /** Lets all actions happen. @param until the time of the end; Infinity: when it is quiet */
  async run(actions: readonly Action[], until: number): Promise<History> {
    for (const agent of this.#agents.values()) agent.start();
    this.#sampleRepeatedly();
    this.#observe();
    for (const action of actions) {
      await this.#passUntil(action.at * 1000, until);
      if (this.time.now < until) this.#begin(action);
    }
    await this.#passUntil(Infinity, until);
    this.#observe();
    return {
      setup: this.#setup,
      actions,
      truth: this.truth,
      receivers: this.receivers,
      samples: this.#samples,
      left: this.#left,
      end: this.time.now,
      begun: this.#begun,
    };
  }

  agent(host: string): SimulatedAgent {
    return this.#agents.get(host)!;
  }

  endNode(name: string, how: End): boolean {
    const node = this.fabric.node(name);
    if (node.state === 'down') return false;
    this.#ends.set(node, how);
    return this.fabric.end(node, how);
  }

  startNode(name: string): void {
    const node = this.fabric.node(name);
    if (!this.network.dark.has(node.host)) this.fabric.start(node);
  }

  stopAgent(host: string): boolean {
    const agent = this.agent(host);
    if (agent.process === undefined) return false;
    agent.stop();
    return true;
  }

  killAgent(host: string): boolean {
    const agent = this.agent(host);
    if (agent.process === undefined) return false;
    agent.kill();
    return true;
  }

  startAgent(host: string): void {
    if (!this.network.dark.has(host)) this.agent(host).start();
  }

  losePower(host: string): boolean {
    if (this.network.dark.has(host)) return false;
    this.killAgent(host);
    this.network.dark.add(host);
    for (const node of this.fabric.nodes.values()) if (node.host === host) this.endNode(node.name, 'killed');
    return true;
  }

  boot(host: string): void {
    this.network.dark.delete(host);
    for (const node of this.fabric.nodes.values()) if (node.host === host) this.startNode(node.name);
    this.startAgent(host);
  }

  silence(host: string, scope: string, seconds: number, isForgotten: boolean): (() => void) | undefined {
    const { process, service } = this.agent(host);
    const isChannel = this.fabric.channels.has(scope);
    const isKnown = isChannel || this.fabric.nodes.get(scope)?.host === host;
    const subject = `silence ${host} ${scope}`;
    if (
      process === undefined ||
      service === undefined ||
      !isKnown ||
      this.truth.of(subject).at(-1)?.to === Infinity
    )
      return undefined;
    this.truth.set(subject, this.time.now, 'silence');
    const body = JSON.stringify({ [isChannel ? 'channel' : 'node']: scope, for: `${seconds}s`, why: 'work' });
    let id: string | undefined;
    this.time.later(process, 0, () => {
      void service
        .respond({ method: 'PUT', path: '/silences', body })
        .then((reply) => ({ id } = JSON.parse(String(reply?.body ?? '{}')) as { id?: string }));
    });
    return () => {
      this.truth.set(subject, this.time.now, undefined);
      if (!isForgotten && id !== undefined)
        this.time.later(
          process,
          0,
          () => void service.respond({ method: 'DELETE', path: `/silences/${id!}` }),
        );
    };
  }

  #begin(action: Action): void {
    this.#endLong();
    // Without an action the later ones draw the same numbers.
    this.random = createRandom(seedOf(action, this.#seed));
    const end = begin(this, action);
    this.#observe();
    if (end === undefined) return;
    this.#begun.set(action, this.time.now);
    const duration = action.for * 1000;
    if (duration > LONGEST) {
      this.#ending = [...this.#ending, { at: this.time.elapsed + duration, end }];
      return;
    }
    this.#running += 1;
    this.time.later(this.time.world, duration, () => {
      this.#running -= 1;
      end();
      this.#observe();
    });
  }

  /** Ends the long actions that are due. */
  #endLong(): void {
    const { elapsed } = this.time;
    for (const { at, end } of this.#ending) if (at <= elapsed) end();
    this.#ending = this.#ending.filter(({ at }) => at > elapsed);
  }

  /** Lets time pass; quiet time is skipped. @param elapsed as `SimulatedTime.elapsed`; Infinity: until it is quiet */
  async #passUntil(elapsed: number, until: number): Promise<void> {
    const { time } = this;
    const next = (): number => Math.min(until, time.now + (elapsed - time.elapsed));
    while (this.#running > 0 && time.now < next()) await time.run(Math.min(next(), time.now + 1_000));
    await time.run(Math.min(next(), time.now + QUIET));
    if (elapsed < Infinity && time.now < until) time.skip(Math.max(0, elapsed - time.elapsed));
  }

  #observe(): void {
    const { time, truth, network } = this;
    const { now } = time;
    truth.observe(now, this.fabric, this.#ends);
    for (const [host, agent] of this.#agents) {
      const { process } = agent;
      truth.set(`agent ${host}`, now, process === undefined ? 'down' : undefined);
      const { lateBy = 0, frozenUntil = 0 } = process ?? {};
      const starved = frozenUntil > now ? 'frozen' : lateBy > 0 ? 'starved' : undefined;
      truth.set(`starved ${host}`, now, starved);
      for (const other of this.#agents.keys())
        truth.set(`cut ${host} ${other}`, now, network.isCut(host, other) ? 'cut' : undefined);
    }
    for (const { host, setup, response } of this.receivers)
      truth.set(`receiver ${host}/${setup.name}`, now, response === 'accepts' ? undefined : response);
  }

  #addSample(host: string, body: string): void {
    const { channels, problems } = JSON.parse(body) as StatusDocument;
    this.#samples.push({ at: this.time.now, host, channels, problems });
  }

  #sampleRepeatedly(): void {
    const { time } = this;
    for (const agent of this.#agents.values()) {
      const { process, service, host } = agent;
      if (process === undefined || service === undefined) continue;
      time.later(process, 0, () => {
        void service
          .respond({ path: '/status' })
          .then((reply) => reply && this.#addSample(host, String(reply.body)));
      });
    }
    time.later(time.world, SAMPLED, () => this.#sampleRepeatedly());
  }
}

/** The seed of the random numbers after an action, whenever it begins. @param seed of the simulation */
const seedOf = ({ at: _at, ...action }: Action, seed: number): number =>
  createHash('sha256')
    .update(JSON.stringify([seed, action]))
    .digest()
    .readUInt32BE();

/** Simulates a list of actions. The process must do nothing else meanwhile. @param until the time of the end. @default when it is quiet */
export async function simulate(
  setup: Setup,
  actions: readonly Action[],
  seed: number,
  until = Infinity,
): Promise<History> {
  const world = new World(setup, seed);
  const restore = world.time.install(() => world.random.below(2 ** 30) / 2 ** 30);
  const { stackTraceLimit } = Error;
  // Nobody reads the stacks, which take a third of the time.
  Error.stackTraceLimit = 0;
  try {
    return await world.run(actions, until);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    restore();
  }
}
