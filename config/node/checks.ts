// The checkers that the file of a node implies, besides the one for its own health.

import { join } from 'node:path';
import { formatHostPort, type HostPort } from '../../core/common/text/host-port.js';
import type { NodeConfig, Sourced } from './config.js';

/** The switches of the checkers: keys of the section `node`. */
export const NODE_CHECKS = [
  'certificates',
  'disk',
  'consensus',
  'participation',
  'height',
  'couchdb',
  'ccaas',
] as const;

/** A checker that is switched on or off by the key of its name. */
export type NodeCheckName = (typeof NODE_CHECKS)[number];

/** A checker and the options that the node's file implies. */
export interface NodeCheck {
  readonly plugin: NodeCheckName;
  /** The name of its component after that of the node. */
  readonly component: string;
  readonly options: Readonly<Record<string, Sourced<unknown>>>;
}

/** What the checkers of a node need to know in addition to its file. */
export interface NodeCheckFacts {
  readonly name: Sourced<string>;
  /** Whether its metrics are relayed. */
  readonly hasMetrics: boolean;
  /** Where its operations endpoint is reached: its Admin endpoint is reached at the same host if it listens on all addresses. */
  readonly host: string;
}

/** The checkers of a node, without those whose files or addresses its configuration does not name. */
export function nodeChecks(config: NodeConfig, facts: NodeCheckFacts): NodeCheck[] {
  const paths = certificatePaths(config);
  const directories = diskPaths(config);
  const builds = buildPaths(config);
  const isOrderer = config.kind === 'orderer';
  return [
    ...check('certificates', paths.value.length > 0, () => ({ paths })),
    ...check('disk', directories.value.length > 0, () => ({ paths: directories })),
    ...check('consensus', isOrderer && facts.hasMetrics, () => ({ node: facts.name })),
    ...check('height', !isOrderer && facts.hasMetrics, () => ({ node: facts.name })),
    ...participation(config, facts),
    ...couchdb(config),
    ...check('ccaas', builds.value.length > 0, () => ({ paths: builds })),
  ];
}

function check(plugin: NodeCheckName, isImplied: boolean, options: () => NodeCheck['options']): NodeCheck[] {
  return isImplied ? [{ plugin, component: plugin, options: options() }] : [];
}

/** TLS files count only while TLS is enabled: the sample configurations name some that do not exist. */
function certificatePaths(config: NodeConfig): Sourced<readonly string[]> {
  const isOn = (key: string): boolean => config.get<boolean>(key).value;
  const files = (key: string): Sourced<readonly string[]> => {
    const { value, origin } = config.get<string | readonly string[]>(key);
    return { value: typeof value === 'string' ? [value] : value, origin };
  };
  return joined([
    files('msp'),
    ...(isOn('tls.enabled')
      ? ['tls.cert', 'tls.rootCert', 'tls.rootCAs', 'tls.clientCert', 'cluster.rootCAs'].map(files)
      : []),
    ...(isOn('operations.tls.enabled')
      ? ['operations.tls.cert.file', 'operations.tls.clientRootCAs.files'].map(files)
      : []),
    ...(isOn('admin.tls.enabled') ? ['admin.tls.certificate', 'admin.tls.clientRootCAs'].map(files) : []),
  ]);
}

function diskPaths(config: NodeConfig): Sourced<readonly string[]> {
  return joined(
    ['ledger', 'snapshots', 'wal', 'snap', 'msp'].map((key) => {
      const { value, origin } = config.get<string>(key);
      return { value: [value], origin };
    }),
  );
}

/** Where a peer stores the output of its external builders (internal/peer/node/start.go, `externalBuilderOutput`). */
function buildPaths(config: NodeConfig): Sourced<readonly string[]> {
  const { value: builders } = config.get<unknown>('externalBuilders');
  const { value: data, origin } = config.get<string>('ledger');
  // In a variable the list is YAML.
  const isEmpty = typeof builders === 'string' ? /^\s*\[\s*\]\s*$/.test(builders) : !hasEntries(builders);
  const value = isEmpty || data === '' ? [] : [join(data, 'externalbuilder/builds')];
  return { value, origin };
}

const hasEntries = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

/** The different paths of several settings; the origin is that of the first one that is set. */
function joined(all: readonly Sourced<readonly string[]>[]): Sourced<readonly string[]> {
  const set = all.map(({ value, origin }) => ({ value: value.filter((path) => path !== ''), origin }));
  const first = set.find(({ value }) => value.length > 0);
  return { value: [...new Set(set.flatMap(({ value }) => value))], origin: first?.origin ?? 'default' };
}

/** The Admin endpoint of an orderer. Its clients have a certificate of its cluster, such as its own. */
function participation(config: NodeConfig, { host }: NodeCheckFacts): NodeCheck[] {
  const listen = config.get<HostPort | null>('admin.listenAddress');
  if (config.kind !== 'orderer' || !config.get<boolean>('participation.enabled').value) return [];
  if (listen.value === null || listen.value.port === 0) return [];
  const isAny = ['', '0.0.0.0', '::'].includes(listen.value.host);
  const address = {
    value: formatHostPort({ ...listen.value, host: isAny ? host : listen.value.host }),
    origin: listen.origin,
  };
  const tls = config.get<boolean>('admin.tls.enabled');
  return check('participation', true, () => ({
    address,
    tls,
    ...(tls.value && {
      certificate: config.get<string>('admin.tls.certificate'),
      cert: config.get<string>('admin.tls.certificate'),
      key: config.get<string>('admin.tls.privateKey'),
    }),
  }));
}

/**
 * The state database of a peer, without TLS as in Fabric's statecouchdb, which sends credentials only when it has both. The peer
 * itself reports a check `couchdb`, so the component has another name.
 */
function couchdb(config: NodeConfig): NodeCheck[] {
  const text = (key: string): Sourced<string> => {
    const { value, origin } = config.get<unknown>(`couchdb.${key}`);
    // A password of digits is a number in YAML.
    return { value: String(value), origin };
  };
  const [address, username, password] = [text('address'), text('username'), text('password')];
  if (config.get<unknown>('couchdb.stateDatabase').value !== 'CouchDB' || address.value === '') return [];
  const hasCredentials = username.value !== '' && password.value !== '';
  const options = { address, ...(hasCredentials && { username, password }) };
  return [{ plugin: 'couchdb', component: 'state-database', options }];
}
