// The built-in plugins: the only place that lists them.

import { ccaas } from '../plugins/health/ccaas/implied.js';
import { certificates } from '../plugins/health/certificates/implied.js';
import { consensus } from '../plugins/health/consensus/implied.js';
import { couchdb } from '../plugins/health/couchdb/implied.js';
import { disk } from '../plugins/health/disk/implied.js';
import { docker } from '../plugins/health/docker/implied.js';
import { height } from '../plugins/health/height/implied.js';
import { nodeHealth } from '../plugins/health/node-health/implied.js';
import { participation } from '../plugins/health/participation/implied.js';
import { console } from '../plugins/logging/console/implied.js';
import { otlp } from '../plugins/metrics/otlp/implied.js';
import { prometheus } from '../plugins/metrics/prometheus/implied.js';
import { statsd } from '../plugins/metrics/statsd/implied.js';
import { node } from '../plugins/source/node/implied.js';
import type { ImpliedPlugin } from './contract/implied.js';
import type { BuiltInPlugin } from './host/index.js';

/** A built-in plugin; its module is imported only when it is declared. */
interface BuiltIn extends BuiltInPlugin {
  readonly implied: ImpliedPlugin;
}

const builtIn = (path: string, implied: ImpliedPlugin = {}): BuiltIn => {
  const [kind = '', name = ''] = path.split('/');
  return { kind, name, url: new URL(`../plugins/${path}/index.js`, import.meta.url).href, implied };
};

/** In the order in which they are declared when the configuration implies them. */
export const BUILT_IN: readonly BuiltIn[] = [
  builtIn('logging/console', console),
  builtIn('source/node', node),
  builtIn('health/node-health', nodeHealth),
  builtIn('health/certificates', certificates),
  builtIn('health/disk', disk),
  builtIn('health/consensus', consensus),
  builtIn('health/height', height),
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
