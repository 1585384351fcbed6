// Every setting of the agent: what it means, what it may be, what it is when nobody says, and where the nodes' own files
// keep it. The names of environment variables derive from those places (see environment.ts).

import type { Leaf } from './checked-values.js';

/** A setting: a leaf of the schema with its places in the nodes' files. */
export interface Setting extends Leaf {
  /** Its key in a peer's core.yaml. @default its own key; null: not read from there */
  readonly peer?: string | null;
  /** Its key in an orderer's orderer.yaml; case is as in that file, matching ignores case. @default its own key; null: not read from there */
  readonly orderer?: string | null;
  /** An environment variable that every Fabric binary reads for it. */
  readonly env?: string;
}

/** A section of settings. */
export interface Section {
  readonly [name: string]: Setting | Section;
}

/** The whole schema. The sections are named and shaped as in a peer's core.yaml. */
const SCHEMA = {
  operations: {
    listenAddress: {
      doc: 'host:port that the service listens on; an empty host means all addresses, port 0 any free one',
      format: 'host-port',
      default: '127.0.0.1:9443',
    },
    tls: {
      enabled: { doc: 'whether the service speaks HTTPS', format: 'switch', default: false },
      cert: {
        file: {
          doc: 'PEM file of the server certificate and its chain',
          format: 'path',
          default: '',
          orderer: 'operations.tls.certificate',
        },
      },
      key: {
        file: {
          doc: 'PEM file of the private key of the certificate',
          format: 'path',
          default: '',
          orderer: 'operations.tls.privateKey',
        },
      },
      clientAuthRequired: {
        doc: 'whether every connection needs a client certificate, not only the protected resources',
        format: 'switch',
        default: false,
      },
      clientRootCAs: {
        files: {
          doc: 'PEM files of the authorities whose client certificates are trusted',
          format: 'path-list',
          default: [],
          orderer: 'operations.tls.clientRootCAs',
        },
      },
    },
  },
  health: {
    timeout: {
      doc: 'how long one check may take before it counts as failed',
      format: 'positive-duration',
      default: '10s',
    },
    cacheFor: {
      doc: 'how long an answer of /healthz is given again without a new run',
      format: 'duration',
      default: '0s',
    },
  },
  metrics: {
    provider: {
      doc: 'the metric sink that the node would use: prometheus declares the /metrics route, statsd the push',
      format: ['disabled', 'prometheus', 'statsd'],
      default: 'disabled',
    },
    statsd: {
      network: { doc: 'how to reach the StatsD daemon', format: ['udp', 'tcp'], default: 'udp' },
      address: {
        doc: 'host:port of the StatsD daemon, required where statsd is the provider',
        format: 'optional-host-port',
        default: '',
      },
      writeInterval: { doc: 'time between two pushes', format: 'positive-duration', default: '10s' },
      prefix: { doc: 'put before every bucket name', format: 'text', default: '' },
    },
    maxSeries: {
      doc: 'how many series one metric family may have; more are dropped and counted',
      format: 'count',
      default: 10_000,
    },
  },
  logging: {
    spec: {
      doc: 'the logging specification at start',
      format: 'text',
      default: '',
      peer: null,
      orderer: null,
      env: 'FABRIC_LOGGING_SPEC',
    },
    format: {
      doc: 'the log format: json, logfmt, or a pattern; empty means the default pattern',
      format: 'text',
      default: '',
      peer: null,
      orderer: null,
      env: 'FABRIC_LOGGING_FORMAT',
    },
  },
  vm: {
    endpoint: {
      doc: 'where the Docker engine listens; empty means that it is not checked',
      format: 'text',
      default: '',
      orderer: null,
    },
    docker: {
      tls: {
        enabled: {
          doc: 'whether the Docker engine is reached over TLS',
          format: 'switch',
          default: false,
          orderer: null,
        },
        ca: {
          file: {
            doc: 'PEM file of the authority of the engine',
            format: 'path',
            default: '',
            orderer: null,
          },
        },
        cert: {
          file: { doc: 'PEM file of the client certificate', format: 'path', default: '', orderer: null },
        },
        key: {
          file: {
            doc: 'PEM file of the key of that certificate',
            format: 'path',
            default: '',
            orderer: null,
          },
        },
      },
    },
  },
  plugins: {
    doc: 'the plugins to load besides those that the other settings declare',
    format: 'list',
    default: [],
  },
} as const satisfies Section;

/** Every setting by its dotted key. */
export const SETTINGS: ReadonlyMap<string, Setting> = new Map(settingsIn(SCHEMA, ''));

function settingsIn(section: Section, prefix: string): (readonly [string, Setting])[] {
  return Object.entries(section).flatMap(([name, node]) =>
    isSetting(node) ? [[`${prefix}${name}`, node] as const] : settingsIn(node, `${prefix}${name}.`),
  );
}

function isSetting(node: Setting | Section): node is Setting {
  return typeof (node as Setting).doc === 'string';
}
