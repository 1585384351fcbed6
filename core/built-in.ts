// The built-in plugins: the only place that lists them.

import * as ccaas from '../plugins/health/ccaas/for-node.js';
import * as certificates from '../plugins/health/certificates/for-node.js';
import * as channelConfig from '../plugins/health/channel-config/for-node.js';
import * as consensus from '../plugins/health/consensus/for-node.js';
import * as couchdb from '../plugins/health/couchdb/for-node.js';
import * as disk from '../plugins/health/disk/for-node.js';
import * as docker from '../plugins/health/docker/for-agent.js';
import * as height from '../plugins/health/height/for-node.js';
import * as loadedChannels from '../plugins/health/loaded-channels/for-node.js';
import * as nodeHealth from '../plugins/health/node-health/for-node.js';
import * as ordererLink from '../plugins/health/orderer-link/for-node.js';
import * as participation from '../plugins/health/participation/for-node.js';
import * as console from '../plugins/logging/console/for-agent.js';
import * as otlp from '../plugins/metrics/otlp/environment.js';
import * as prometheus from '../plugins/metrics/prometheus/for-agent.js';
import * as statsd from '../plugins/metrics/statsd/for-agent.js';
import * as node from '../plugins/source/node/for-node.js';
import type { ConfiguredPlugin } from './contract/for-node.js';
import type { BuiltInPlugin } from './host/index.js';

/** A built-in plugin; its module is imported only when it is declared. */
interface BuiltIn extends BuiltInPlugin {
  readonly configured: ConfiguredPlugin;
}

/** The kinds of the plugins in the directories that have other names. */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['health', 'checker'],
  ['metrics', 'sink'],
]);

const builtIn = (path: string, configured: ConfiguredPlugin = {}): BuiltIn => {
  const [directory = '', name = ''] = path.split('/');
  return {
    kind: KINDS.get(directory) ?? directory,
    name,
    url: new URL(`../plugins/${path}/index.js`, import.meta.url).href,
    configured,
  };
};

/** The built-in plugins, in the order in which they are declared when the configuration implies them. */
export const BUILT_IN: readonly BuiltIn[] = [
  builtIn('logging/console', console),
  builtIn('source/node', node),
  builtIn('health/node-health', nodeHealth),
  builtIn('health/certificates', certificates),
  builtIn('health/disk', disk),
  builtIn('health/channel-config', channelConfig),
  builtIn('health/consensus', consensus),
  builtIn('health/height', height),
  builtIn('health/loaded-channels', loadedChannels),
  builtIn('health/orderer-link', ordererLink),
  builtIn('health/participation', participation),
  builtIn('health/couchdb', couchdb),
  builtIn('health/ccaas', ccaas),
  builtIn('health/docker', docker),
  builtIn('health/exec'),
  builtIn('health/grpc'),
  builtIn('health/http'),
  builtIn('health/tcp'),
  builtIn('metrics/prometheus', prometheus),
  builtIn('metrics/statsd', statsd),
  builtIn('metrics/graphite'),
  builtIn('metrics/otlp', otlp),
  builtIn('source/exec'),
  builtIn('source/http'),
  builtIn('notifier/webhook'),
  builtIn('notifier/alertmanager'),
  builtIn('notifier/exec'),
];
