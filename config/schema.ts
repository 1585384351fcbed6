// Every setting of the agent: meaning, format, default, and its key in the files of the nodes. The names of environment variables
// are derived from the keys, see overrides.ts.

import { parseSwitches } from './formats.js';
import type { Leaf } from './check-values.js';

/** A setting, with its keys in the files of the nodes. */
export interface Setting extends Leaf {
  /** Its key in core.yaml; null: not read from core.yaml. @default the same key */
  readonly peer?: string | null;
  /** Its key in orderer.yaml, where keys ignore case; null: not read from orderer.yaml. @default the same key */
  readonly orderer?: string | null;
  /** Its variable in all Fabric programs, if it has a special name. */
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
      doc: 'host:port that the agent listens on; an empty host means all addresses, port 0 any free port',
      format: 'host-port',
      default: '127.0.0.1:9543',
    },
    name: {
      doc: 'the name of this agent for the other agents and in notifications; empty: the name of its host',
      format: 'string',
      default: '',
      peer: null,
      orderer: null,
    },
    url: {
      doc: 'URL of this agent for users, such as https://host1.example.com:9543; notifications link to its page; empty: no links',
      format: 'url',
      default: '',
      peer: null,
      orderer: null,
    },
    hosts: {
      doc: 'host names that clients use for the agent, without ports; a request with another Host is refused. Without TLS, a loopback listener refuses names other than localhost even if the list is empty. * accepts every Host',
      format: 'host-list',
      default: [],
    },
    stateDirectory: {
      doc: 'directory of this agent alone, in which it keeps what receivers were told: after a restart it tells them the ends of failures that ended meanwhile; empty: it keeps this in memory',
      format: 'path',
      default: '',
      peer: null,
      orderer: null,
    },
    page: { doc: 'whether / is a page for browsers, and /events its data', format: 'boolean', default: true },
    tls: {
      enabled: { doc: 'whether the agent uses HTTPS', format: 'boolean', default: false },
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
          doc: 'PEM files with the CA certificates for verifying client certificates',
          format: 'path-list',
          default: [],
          orderer: 'operations.tls.clientRootCAs',
        },
      },
      readers: {
        doc: 'who may only read: common or alternative names of client certificates, and PEM files, such as ./readers-ca.pem, with CAs whose certificates may only read',
        format: 'name-list',
        default: [],
        peer: null,
        orderer: null,
      },
      writers: {
        doc: 'who may also change something, as in operations.tls.readers; if it is not empty, all others may only read',
        format: 'name-list',
        default: [],
        peer: null,
        orderer: null,
      },
    },
  },
  health: {
    timeout: {
      doc: 'timeout of one check; a check that takes longer fails',
      format: 'positive-duration',
      default: '10s',
    },
    cacheFor: {
      doc: 'how long requests share the result of a check before it runs again; background runs do not use the cache',
      format: 'duration',
      default: '1s',
    },
    interval: {
      doc: 'time between two background runs of all checks, so that metrics and alerts do not depend on requests',
      format: 'positive-duration',
      default: '10s',
    },
    channelsInterval: {
      doc: 'time between two background checks of the channels of the nodes, independent of requests and health.cacheFor',
      format: 'positive-duration',
      default: '2s',
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
      doc: 'maximum number of series of one metric family; other series are dropped and counted',
      format: 'count',
      default: 10_000,
    },
  },
  logging: {
    spec: {
      doc: 'logging specification at startup',
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
  node: nodeSection({
    config: { doc: "the node's core.yaml or orderer.yaml, or its directory", format: 'path', default: '' },
    environment: {
      doc: 'file with the CORE_… or ORDERER_… variables of the node, in place of the variables of the agent: docker inspect, /proc/PID/environ, or lines NAME=VALUE',
      format: 'path',
      default: '',
    },
    name: { doc: 'name of the node, not self; empty: peer.id, or orderer', format: 'string', default: '' },
    label: {
      doc: 'auto: its series have the label `node` if the agent has several nodes; always: also with one node, and StatsD buckets have the name of the node',
      format: ['auto', 'always'],
      default: 'auto',
    },
    address: {
      doc: 'host:port of its operations endpoint; empty: the listen address in its file',
      format: 'host-port',
      default: '',
      nullable: true,
    },
    ca: {
      doc: 'PEM file with the CA of its server certificate; empty: the TLS CA in its file if that issued the certificate, else exactly the certificate is trusted',
      format: 'path',
      default: '',
    },
    cert: {
      doc: 'PEM file with the client certificate for its operations and Admin endpoints; empty: a certificate of the node',
      format: 'path',
      default: '',
    },
    key: {
      doc: 'PEM file with the private key of this client certificate',
      format: 'path',
      default: '',
    },
    serverName: {
      doc: 'name to verify in its server certificate; empty: the host of its address, or the first name in the certificate if it is not valid for this host',
      format: 'string',
      default: '',
    },
    metrics: {
      doc: 'whether its metrics are relayed; the default is false unless metrics.provider in its file is prometheus',
      format: 'boolean',
      default: true,
    },
    health: { doc: 'whether its health is checked', format: 'boolean', default: true },
    logging: {
      doc: 'whether its log level can be read and changed through /logspec',
      format: 'boolean',
      default: true,
    },
    checks: {
      doc: 'checks that are switched off, such as {disk: false}; in a variable disk=false,height=false',
      format: (value: unknown): void => void parseSwitches(value),
      default: {},
    },
    log: {
      doc: 'log of the node: a file, or journal:UNIT for the journal of systemd; its last warnings and errors are shown while the node fails; empty: none',
      format: 'string',
      default: '',
    },
    insecureRelay: {
      doc: 'allows relaying metrics and log level of a node with TLS through a service without TLS',
      format: 'boolean',
      default: false,
    },
  }),
  nodes: {
    doc: 'several nodes, each a mapping with the keys of node',
    format: 'list',
    default: [],
    peer: null,
    orderer: null,
  },
  silences: {
    doc: 'windows of planned work, each a mapping with node, channel, until (a time such as 2026-11-27T06:00:00Z) and why: until then notifiers get no failures of the node or the channel; without both, of all nodes and channels',
    format: 'list',
    default: [],
    peer: null,
    orderer: null,
  },
  agents: {
    doc: 'the agents of other hosts, each a mapping with name (its operations.name), url, and for https ca, cert and key: their consenters count as monitored, and only one of the agents sends the events of a channel',
    format: 'list',
    default: [],
    peer: null,
    orderer: null,
  },
  plugins: {
    doc: 'plugins to load in addition to implied plugins',
    format: 'list',
    default: [],
  },
} as const satisfies Section;

/** A section that the files of the nodes do not have. */
function nodeSection<Leaves extends Readonly<Record<string, Leaf>>>(leaves: Leaves): Section {
  return Object.fromEntries(
    Object.entries(leaves).map(([name, leaf]) => [name, { ...leaf, peer: null, orderer: null }]),
  );
}

/** The settings of a monitored node by key, without the prefix `node.`. */
export const NODE_KEYS: ReadonlyMap<string, Setting> = new Map(settingsIn(SCHEMA.node, ''));

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
