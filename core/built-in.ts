// The built-in plugins: the only place that lists them.

import type { ConfiguredNode } from './contract/for-node.js';
import type { BuiltInPlugin } from './host/index.js';

/** The kinds of the plugins in the directories that have other names. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['health', 'checker'],
  ['metrics', 'sink'],
]);

const builtIn = (
  path: string,
  implied: Pick<BuiltInPlugin, 'mayBeForAgent' | 'mayBeForNode'> = {},
): BuiltInPlugin => {
  const [directory = '', name = ''] = path.split('/');
  return {
    kind: KINDS.get(directory) ?? directory,
    name,
    url: new URL(`../plugins/${path}/index.js`, import.meta.url).href,
    ...implied,
  };
};

const forEachNode = { mayBeForNode: () => true };
const forPeers = { mayBeForNode: ({ kind }: ConfiguredNode) => kind === 'peer' };
const forOrderers = { mayBeForNode: ({ kind }: ConfiguredNode) => kind === 'orderer' };

const withProvider = (provider: string): Pick<BuiltInPlugin, 'mayBeForAgent'> => ({
  mayBeForAgent: (agent) => agent.get('metrics.provider').value === provider,
});

/** The built-in plugins, in the order in which they are declared when the configuration implies them. */
export const BUILT_IN: readonly BuiltInPlugin[] = [
  builtIn('logging/console', { mayBeForAgent: () => true }),
  builtIn('source/node', forEachNode),
  builtIn('health/node-health', forEachNode),
  builtIn('health/certificates', forEachNode),
  builtIn('health/disk', forEachNode),
  builtIn('health/channel-config', forEachNode),
  builtIn('health/consensus', forOrderers),
  builtIn('health/height', { mayBeForNode: (_, { nodeCount }) => nodeCount > 1 }),
  builtIn('health/loaded-channels', forPeers),
  builtIn('health/orderer-link', forPeers),
  builtIn('health/participation', {
    mayBeForNode: (node) => node.get('participation.enabled').value === true,
  }),
  builtIn('health/couchdb', {
    mayBeForNode: (node) => node.get('couchdb.stateDatabase').value === 'CouchDB',
  }),
  builtIn('health/ccaas', {
    mayBeForNode: (node) => node.get<readonly unknown[]>('externalBuilders').value.length > 0,
  }),
  builtIn('health/docker', { mayBeForAgent: (agent) => agent.get('vm.endpoint').value !== '' }),
  builtIn('health/exec'),
  builtIn('health/grpc'),
  builtIn('health/http'),
  builtIn('health/tcp'),
  builtIn('metrics/prometheus', withProvider('prometheus')),
  builtIn('metrics/statsd', withProvider('statsd')),
  builtIn('metrics/graphite'),
  builtIn('metrics/otlp'),
  builtIn('source/exec'),
  builtIn('source/http'),
  builtIn('notifier/webhook'),
  builtIn('notifier/alertmanager'),
  builtIn('notifier/exec'),
];
