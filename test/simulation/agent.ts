// The agent of a simulated host: the real one, with simulated nodes, receivers and network.

import type { OtherAgentSettings, Settings } from '../../config/index.js';
import { createLoaded, type Agent } from '../../core/agent.js';
import { Lag } from '../../core/health/index.js';
import { defineSettings } from '../../core/index.js';
import type { SimulatedFabric } from './fabric.js';
import { SimulatedService, type SimulatedNetwork } from './network.js';
import { pluginsOf } from './plugins.js';
import type { SimulatedReceiver } from './receiver.js';
import { SimulatedProcess, type SimulatedTime, type WallClock } from './time.js';

/** How long after its stop a process must do nothing, in milliseconds. */
const WATCHED = 60_000;

/** What an agent runs in. */
export interface AgentWorld {
  readonly time: SimulatedTime;
  readonly fabric: SimulatedFabric;
  readonly network: SimulatedNetwork;
  /** The names of all hosts. */
  readonly hosts: readonly string[];
  readonly receivers: readonly SimulatedReceiver[];
  /** Called when a stopped agent still has timers, or does something. */
  readonly onLeft: (host: string, what: string) => void;
}

/** One process of an agent. */
interface Running {
  readonly process: SimulatedProcess;
  readonly agent: Promise<Agent>;
  /** Undefined: it does not listen. */
  service: SimulatedService | undefined;
  isStopped: boolean;
}

/** The agent of a host, over all its restarts. */
export class SimulatedAgent {
  readonly host: string;
  readonly clock: WallClock = { ahead: 0 };
  readonly #world: AgentWorld;
  #running: Running | undefined;
  /** What its file has, over all restarts. */
  #told: string | undefined;

  constructor(host: string, world: AgentWorld) {
    this.host = host;
    this.#world = world;
  }

  /** Its process; undefined: it does not run. */
  get process(): SimulatedProcess | undefined {
    return this.#running?.process;
  }

  /** Its service; undefined: it does not listen. */
  get service(): SimulatedService | undefined {
    return this.#running?.service;
  }

  /** Starts it, unless it runs. */
  start(): void {
    if (this.#running !== undefined) return;
    const process = new SimulatedProcess(this.host, this.clock);
    const running: Running = {
      process,
      agent: new Promise((resolve) => {
        this.#world.time.later(process, 0, () => resolve(this.#create(running)));
      }),
      service: undefined,
      isStopped: false,
    };
    this.#running = running;
    void running.agent.then((agent) => agent.start());
  }

  /** Stops it as a program does that embeds it: the process goes on. */
  stop(): void {
    const running = this.#running;
    if (running === undefined) return;
    this.#running = undefined;
    const { process } = running;
    this.#world.time.later(process, 0, () => {
      void running.agent.then((agent) => agent.stop()).then(() => this.#stopped(running));
    });
  }

  /** Kills its process. */
  kill(): void {
    const running = this.#running;
    if (running === undefined) return;
    this.#running = undefined;
    running.process.isDead = true;
    this.#world.network.unlisten(this.host, running.service);
  }

  #stopped(running: Running): void {
    const { process } = running;
    running.isStopped = true;
    const { time, onLeft } = this.#world;
    if (process.pending.size > 0) onLeft(this.host, `timers: ${[...process.pending].map(String).join(', ')}`);
    time.later(time.world, WATCHED, () => (process.isDead = true));
  }

  async #create(running: Running): Promise<Agent> {
    const { fabric, receivers, network, onLeft } = this.#world;
    const { host } = this;
    const nodes = [...fabric.nodes.values()].filter((node) => node.host === host);
    const onAccess = (what: string): void => {
      if (running.isStopped) onLeft(host, what);
    };
    const plugins = pluginsOf({
      fabric,
      nodes,
      receivers: receivers.filter((each) => each.host === host),
      onAccess,
    });
    return createLoaded(this.#settings(), plugins, [], {
      lag: new Lag(async () => undefined),
      cpuTime: () => 0,
      readLog: async (log) => {
        const node = fabric.node('file' in log ? log.file : log.unit);
        onAccess(`reads the log of ${node.name}`);
        return node.log;
      },
      openStateFile: () => ({
        read: async () => this.#told,
        write: async (text) => {
          onAccess('writes its file');
          this.#told = text;
        },
      }),
      createAgentClient: ({ name }) => ({
        open: () => undefined,
        close: () => undefined,
        send: (request) => {
          onAccess(`requests ${request.path} of ${name}`);
          return network.send(host, name, request);
        },
      }),
      createServer: ({ routes }) => ({
        listen: async () => {
          running.service = new SimulatedService(running.process, routes);
          network.listen(host, running.service);
        },
        address: () => (running.service === undefined ? undefined : `${host}:9443`),
        reloadTls: () => undefined,
        checkTls: () => undefined,
        close: async () => {
          network.unlisten(host, running.service);
          await running.service?.close();
        },
      }),
    });
  }

  #settings(): Settings {
    const { fabric, hosts } = this.#world;
    const { host } = this;
    const nodes = [...fabric.nodes.values()].filter((node) => node.host === host);
    return {
      ...BASE,
      operations: { ...BASE.operations, name: host },
      nodes: nodes.map(({ name, kind }) => ({ name, kind, logging: false, log: { file: name } })),
      agents: hosts.flatMap((name): OtherAgentSettings[] =>
        name === host
          ? []
          : [{ name, url: `http://${name}:9443`, ca: '', cert: '', key: '', origin: 'the simulation' }],
      ),
    };
  }
}

const BASE = defineSettings(
  { 'operations.page': false, 'operations.stateDirectory': '/state', 'logging.spec': 'fatal' },
  '/',
);
