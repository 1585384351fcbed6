// Every setting of the agent: meaning, format, default, and its key in the files of the nodes. The names of environment variables
// are derived from those keys, see environment.ts.

import type { Leaf } from './leaf.js';

/** A setting, with its keys in the files of the nodes. */
export interface Setting extends Leaf {
  /** Its key in core.yaml; null: not read from there. @default the same key */
  readonly peer?: string | null;
  /** Its key in orderer.yaml, where keys ignore case; null: not read from there. @default the same key */
  readonly orderer?: string | null;
  /** The variable that every Fabric program reads for it. */
  readonly env?: string;
}

/** A section of settings. */
export interface Section {
  readonly [name: string]: Setting | Section;
}

/** The sections have the names and structure of a peer's core.yaml. */
const SCHEMA = {
  operations: {
    listenAddress: {
      doc: 'host:port that the service listens on; an empty host means all addresses, port 0 any free port',
      format: 'host-port',
      default: '127.0.0.1:9443',
    },
    tls: {
      enabled: { doc: 'whether the service uses HTTPS', format: 'boolean', default: false },
      cert: {
        file: {
          doc: 'PEM file with the server certificate and its chain',
          format: 'path',
          default: '',
          orderer: 'operations.tls.certificate',
        },
      },
      key: {
        file: {
          doc: 'PEM file with the private key of the server certificate',
          format: 'path',
          default: '',
          orderer: 'operations.tls.privateKey',
        },
      },
      clientAuthRequired: {
        doc: 'whether every connection requires a client certificate, not only the protected resources',
        format: 'boolean',
        default: false,
      },
      clientRootCAs: {
        files: {
          doc: 'PEM files with the CA certificates that client certificates are verified against',
          format: 'path-list',
          default: [],
          orderer: 'operations.tls.clientRootCAs',
        },
      },
    },
  },
  health: {
    timeout: {
      doc: 'longest duration of one check; a check that takes longer has failed',
      format: 'positive-duration',
      default: '10s',
    },
    cacheFor: {
      doc: 'how long the outcome of all checks is cached before they run again, also in the background',
      format: 'duration',
      default: '0s',
    },
    interval: {
      doc: 'time between two runs of all checks in the background, so that metrics and alerts do not depend on requests',
      format: 'positive-duration',
      default: '10s',
    },
    groups: {
      ready: {
        include: {
          doc: 'the components that /readyz covers, each with its parts; empty means all',
          format: 'name-list',
          default: [],
        },
        exclude: {
          doc: 'components and parts that /readyz does not cover',
          format: 'name-list',
          default: [],
        },
      },
    },
  },
  metrics: {
    provider: {
      doc: 'the metric sink, as in the configuration of the node: prometheus serves /metrics, statsd pushes to a daemon',
      format: ['disabled', 'prometheus', 'statsd'],
      default: 'disabled',
    },
    statsd: {
      network: { doc: 'protocol of the StatsD daemon', format: ['udp', 'tcp'], default: 'udp' },
      address: {
        doc: 'host:port of the StatsD daemon, required for the provider statsd',
        format: 'host-port',
        default: '',
        nullable: true,
      },
      writeInterval: { doc: 'time between two flushes', format: 'positive-duration', default: '10s' },
      prefix: { doc: 'prefix of every bucket name', format: 'string', default: '' },
    },
    maxSeries: {
      doc: 'most series of one metric family; further series are dropped and counted',
      format: 'count',
      default: 10_000,
    },
  },
  logging: {
    spec: {
      doc: 'logging specification at start',
      format: 'string',
      default: '',
      peer: null,
      orderer: null,
      env: 'FABRIC_LOGGING_SPEC',
    },
    format: {
      doc: 'log format: json, logfmt or a pattern; empty means the default pattern',
      format: 'string',
      default: '',
      peer: null,
      orderer: null,
      env: 'FABRIC_LOGGING_FORMAT',
    },
  },
  vm: {
    endpoint: {
      doc: 'address of the Docker engine; empty means that it is not checked',
      format: 'string',
      default: '',
      orderer: null,
    },
    docker: {
      tls: {
        enabled: {
          doc: 'whether to connect to the Docker engine over TLS',
          format: 'boolean',
          default: false,
          orderer: null,
        },
        ca: {
          file: {
            doc: 'PEM file with the CA certificate of the engine',
            format: 'path',
            default: '',
            orderer: null,
          },
        },
        cert: {
          file: { doc: 'PEM file with the client certificate', format: 'path', default: '', orderer: null },
        },
        key: {
          file: {
            doc: 'PEM file with the private key of the client certificate',
            format: 'path',
            default: '',
            orderer: null,
          },
        },
      },
    },
  },
  plugins: {
    doc: 'plugins to load in addition to those that other settings imply',
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
