// The plugins of a simulated agent: they read the simulated nodes, and notify the simulated receivers.

import {
  defineHealthChecker,
  defineLoggingBackend,
  defineMetricSource,
  defineNotifier,
  LeveledLoggers,
  within,
  type PluginDefinition,
} from '../../core/contract/index.js';
import { defineNodeChecker } from '../../core/contract/internal/index.js';
import { Poller } from '../../core/kit/index.js';
import type { LoadedPlugin } from '../../core/host/load.js';
import type { SimulatedFabric, SimulatedNode } from './fabric.js';
import type { SimulatedReceiver } from './receiver.js';

/** How often a node is polled, and how long it may take; milliseconds. As the checker `node-health`. */
const POLL = { interval: 5_000, timeout: 30_000 };
/** After this time a node that does not respond is frozen, in milliseconds. */
const FROZEN = 4_000;
/** How often the config of the channels is read, in milliseconds. */
const CONFIG_INTERVAL = 10_000;

/** What the plugins use. */
export interface PluginParts {
  readonly fabric: SimulatedFabric;
  readonly nodes: readonly SimulatedNode[];
  readonly receivers: readonly SimulatedReceiver[];
  /** Called before each access to the world, which a stopped agent must not have. */
  readonly onAccess: (what: string) => void;
}

/** The plugins of an agent, as the agent loads them. */
export function pluginsOf(parts: PluginParts): [LoadedPlugin, ...LoadedPlugin[]] {
  return [
    loaded('quiet', BACKEND),
    ...parts.nodes.map((node) => loaded(node.name, sourceOf(node, parts))),
    ...parts.nodes.flatMap((node) => [
      loaded(node.name, healthOf(node, parts)),
      loaded(`${node.name}/disk`, diskOf(node, parts)),
      loaded(`${node.name}/channel-config`, configOf(node, parts)),
    ]),
    ...parts.receivers.map((receiver) => loaded(receiver.setup.name, notifierOf(receiver, parts))),
  ];
}

const loaded = (name: string, definition: PluginDefinition<never, never>): LoadedPlugin => ({
  declaration: {
    plugin: definition.name,
    name,
    onStartError: 'retry',
    options: {},
    origin: 'the simulation',
    directory: '/',
    fallback: false,
  },
  definition,
  name,
  options: {},
  warnings: [],
  file: import.meta.filename,
  // Its readings need no check.
  isBuiltIn: true,
  showsStacks: false,
});

const BACKEND = defineLoggingBackend({
  name: 'quiet',
  create: () => new LeveledLoggers({ write: () => undefined }),
}) as PluginDefinition<never, never>;

const sourceOf = (node: SimulatedNode, { fabric, onAccess }: PluginParts): PluginDefinition<never, never> =>
  defineMetricSource({
    name: 'node',
    create: () => ({
      node: {
        kind: node.kind,
        request: async ({ signal }) => {
          onAccess(`requests the version of ${node.name}`);
          await fabric.respond(node, signal);
          return { status: 200, contentType: 'application/json', body: Buffer.from('{"Version":"v3.1.5"}') };
        },
      },
      async read(signal) {
        onAccess(`reads ${node.name}`);
        return fabric.read(node, signal);
      },
    }),
  }) as PluginDefinition<never, never>;

const healthOf = (node: SimulatedNode, { fabric, onAccess }: PluginParts): PluginDefinition<never, never> =>
  defineHealthChecker({
    name: 'node-health',
    create() {
      const poller = new Poller(POLL, async (signal) => {
        onAccess(`polls ${node.name}`);
        await within(FROZEN, `the response to GET https://${node.name}:9443/version`, signal, (until) =>
          fabric.respond(node, until),
        );
      });
      return {
        start: () => poller.start(),
        stop: () => poller.stop(),
        check: (signal) => poller.outcome(signal),
      };
    },
  }) as PluginDefinition<never, never>;

const diskOf = (node: SimulatedNode, { onAccess }: PluginParts): PluginDefinition<never, never> =>
  defineNodeChecker({
    name: 'disk',
    create: () => ({
      kind: 'files',
      check() {
        onAccess(`reads the disk of ${node.name}`);
        if (node.isDiskFull) throw new Error('0 B of 100 GB are free');
      },
    }),
  }) as PluginDefinition<never, never>;

const configOf = (node: SimulatedNode, { fabric, onAccess }: PluginParts): PluginDefinition<never, never> =>
  defineNodeChecker({
    name: 'channel-config',
    create({ facts }) {
      const poller = new Poller({ ...POLL, interval: CONFIG_INTERVAL }, async () => {
        onAccess(`reads the ledger of ${node.name}`);
        facts.publish('consenters', await fabric.consentersOf(node));
      });
      return {
        start: () => poller.start(),
        stop: () => poller.stop(),
        check: (signal) => poller.outcome(signal),
      };
    },
  }) as PluginDefinition<never, never>;

const notifierOf = (receiver: SimulatedReceiver, { onAccess }: PluginParts): PluginDefinition<never, never> =>
  defineNotifier({
    name: 'receiver',
    create: () => ({
      schedule: receiver.setup,
      async notify(notification, signal) {
        onAccess(`notifies ${receiver.setup.name}`);
        await receiver.take(notification, signal);
      },
    }),
  }) as PluginDefinition<never, never>;
