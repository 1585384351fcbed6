// The values of a monitored node that the agent and the tools need, checked. node-file.ts reads them; the variables are in the environment of
// the agent, or in a file (environment-file.ts).

import { resolve } from 'node:path';
import { checkValues, type RawValue } from '../check-values.js';
import { formatHostPort, type HostPort } from '../../core/common/text/host-port.js';
import type { WithOrigin } from '../../core/common/text/with-origin.js';
import { keyIn, plain, type Environment, type NodeDialect } from '../dialects.js';
import { addressOverridesIn, type AddressOverride } from './address-overrides.js';
import type { Container } from './container.js';
import { listOf } from './list-values.js';
import { ANY_VERSION, namedFile, readNodeFile, type NodeFile, type NodeValues } from './node-file.js';
import { SETTINGS, type Setting } from '../schema.js';
import { ineffectiveReason, ineffectiveVariables, nodeVariable } from './variables.js';

/** The configuration of a node from its file and its variables. */
export interface NodeConfig {
  readonly kind: NodeDialect;
  /** The name of its file. */
  readonly file: string;
  /** The absolute path of the directory of its file. */
  readonly directory: string;
  /** Why this host has no address of its operations endpoint; undefined unless the node runs in a container. */
  readonly unreachable: string | undefined;
  /** The paths in its container that no directory of this host has, by their keys. */
  readonly missing: ReadonlyMap<string, string>;
  /**
   * Warnings about variables that the node ignores, or with an effect that depends on its version, and about paths and addresses of a
   * container that this host does not have.
   */
  readonly warnings: readonly string[];
  /** The checked values by the keys of {@link NODE_SCHEMA}; paths are absolute. Of a node in a container: as this host has them. */
  readonly values: ReadonlyMap<string, WithOrigin<unknown>>;
  /** The value of a key of {@link NODE_SCHEMA}. */
  get<T>(key: string): WithOrigin<T>;
  /** A key of {@link NODE_SCHEMA} as in the file of the node. */
  spelling(key: string): string;
}

const same = (key: string): readonly [string, Setting] => [key, SETTINGS.get(key) as Setting];
/** The format of booleans, which node-file.ts converts as the program does. */
const checkFlag = (value: unknown): void => {
  if (typeof value !== 'boolean') throw new Error('must be true or false');
};
/** A boolean with the key of the agent's setting. */
const sameFlag = (key: string): readonly [string, Setting] => [
  key,
  { ...(SETTINGS.get(key) as Setting), format: checkFlag },
];
/** The format of values that only the node interprets and checks. */
const anything = (): void => undefined;
const checkScalar = (value: unknown): void => {
  if (typeof value === 'object') throw new Error('must be a string');
};
const couchDb = (doc: string, name: string, sensitive = false): Setting => ({
  doc,
  format: checkScalar,
  default: '',
  sensitive,
  peer: `ledger.state.${name}`,
  orderer: null,
});
const path = (peer: string | null, orderer: string | null): Setting => ({
  doc: 'file or directory',
  format: 'path',
  default: '',
  peer,
  orderer,
});
const flag = (peer: string | null, orderer: string): Setting => ({
  doc: 'whether it is enabled',
  format: checkFlag,
  default: false,
  peer,
  orderer,
});
const listener = (orderer: string): Setting => ({
  doc: 'address or port, which the orderer itself checks',
  format: checkScalar,
  default: '',
  peer: null,
  orderer,
});
const pathList = (orderer: string): Setting => ({
  doc: 'CAs',
  format: 'path-list',
  default: [],
  peer: null,
  orderer,
});

/** The values that are read from the file of a node. A key has the name of the agent's setting if there is one. */
const NODE_SCHEMA: ReadonlyMap<string, Setting> = new Map([
  ['id', { doc: 'name of the peer', format: anything, default: '', peer: 'peer.id', orderer: null }],
  [
    'operations.listenAddress',
    {
      doc: 'address of the operations endpoint',
      format: 'host-port',
      default: '',
      nullable: true,
    },
  ],
  sameFlag('operations.tls.enabled'),
  same('operations.tls.cert.file'),
  same('operations.tls.key.file'),
  sameFlag('operations.tls.clientAuthRequired'),
  same('operations.tls.clientRootCAs.files'),
  ['metrics.provider', { doc: 'metrics provider', format: anything, default: 'disabled' }],
  ['tls.cert', path('peer.tls.cert.file', 'general.tls.certificate')],
  ['tls.key', path('peer.tls.key.file', 'general.tls.privateKey')],
  ['tls.enabled', flag('peer.tls.enabled', 'general.tls.enabled')],
  ['tls.clientAuthRequired', flag('peer.tls.clientAuthRequired', 'general.tls.clientAuthRequired')],
  ['tls.clientCert', path('peer.tls.clientCert.file', 'general.cluster.clientCertificate')],
  ['tls.clientKey', path('peer.tls.clientKey.file', 'general.cluster.clientPrivateKey')],
  ['tls.rootCert', path('peer.tls.rootcert.file', null)],
  ['tls.rootCAs', pathList('general.tls.rootCAs')],
  ['tls.clientRootCAs', { ...pathList('general.tls.clientRootCAs'), peer: 'peer.tls.clientRootCAs.files' }],
  ['listenAddress', listener('general.listenAddress')],
  ['listenPort', listener('general.listenPort')],
  ['cluster.listenAddress', listener('general.cluster.listenAddress')],
  ['cluster.listenPort', listener('general.cluster.listenPort')],
  ['cluster.serverCertificate', path(null, 'general.cluster.serverCertificate')],
  ['cluster.serverPrivateKey', path(null, 'general.cluster.serverPrivateKey')],
  ['cluster.rootCAs', pathList('general.cluster.rootCAs')],
  ['msp', path('peer.mspConfigPath', 'general.localMSPDir')],
  [
    'mspId',
    {
      doc: 'id of the MSP',
      format: anything,
      default: '',
      peer: 'peer.localMspId',
      orderer: 'general.localMSPID',
    },
  ],
  ['ledger', path('peer.fileSystemPath', 'fileLedger.location')],
  ['snapshots', path('ledger.snapshots.rootDir', null)],
  [
    'externalBuilders',
    {
      doc: 'external builders',
      format: anything,
      default: [],
      peer: 'chaincode.externalBuilders',
      orderer: null,
    },
  ],
  [
    'addressOverrides',
    {
      doc: 'other addresses of orderers',
      format: anything,
      default: [],
      peer: 'peer.deliveryclient.addressOverrides',
      orderer: null,
    },
  ],
  [
    'gossip.membershipTrackerInterval',
    {
      doc: 'time between two values of a gauge',
      format: anything,
      default: '5s',
      peer: 'peer.gossip.membershipTrackerInterval',
      orderer: null,
    },
  ],
  ['wal', path(null, 'consensus.WALDir')],
  ['snap', path(null, 'consensus.SnapDir')],
  ['participation.enabled', flag(null, 'channelParticipation.enabled')],
  [
    'admin.listenAddress',
    {
      doc: 'address of the Admin endpoint',
      format: 'host-port',
      default: '',
      nullable: true,
      peer: null,
      orderer: 'admin.listenAddress',
    },
  ],
  ['admin.tls.enabled', flag(null, 'admin.tls.enabled')],
  ['admin.tls.certificate', path(null, 'admin.tls.certificate')],
  ['admin.tls.privateKey', path(null, 'admin.tls.privateKey')],
  ['admin.tls.clientRootCAs', pathList('admin.tls.clientRootCAs')],
  ['couchdb.stateDatabase', couchDb('kind of the state database', 'stateDatabase')],
  ['couchdb.address', couchDb('address of CouchDB', 'couchDBConfig.couchDBAddress')],
  ['couchdb.username', couchDb('user name for CouchDB', 'couchDBConfig.username')],
  ['couchdb.password', couchDb('password for CouchDB', 'couchDBConfig.password', true)],
]);

/** The names of the variables that would configure a node of a kind, in the order of its settings. */
export const variablesOfNode = (environment: Environment, kind: NodeDialect): string[] =>
  keysOf(kind)
    .map(([, spelling]) => nodeVariable(kind, spelling))
    .filter((name) => (environment[name] ?? '') !== '');

/**
 * Reads the configuration of a node.
 *
 * @param environment the variables of the node
 * @param cwd the working directory of the node
 * @param source the origin of the variables, for messages
 * @param container its container
 * @returns the configuration, or one line for each invalid value
 */
export function readNodeConfig(
  node: NodeFile,
  environment: Environment,
  cwd: string,
  source = 'environment',
  container?: Container,
): NodeConfig | { readonly problems: readonly string[] } {
  const { file, kind } = node;
  const read = readNodeFile(node, environment, cwd, { decoders: ANY_VERSION, origin: source, container });
  const spelling = (key: string): string => keyIn(kind, key, NODE_SCHEMA) ?? key;
  const raw = new Map(
    keysOf(kind).flatMap(([key]) => {
      const found = rawValue(read, spelling(key), NODE_SCHEMA.get(key)?.format);
      return found === undefined ? [] : [[key, found] as const];
    }),
  );
  const { values, invalid } = checkValues(NODE_SCHEMA, raw);
  if (invalid.length > 0)
    return {
      problems: invalid.map(
        ({ key, origin = file.name, reason }) => `${origin}: ${spelling(key)}: ${reason}`,
      ),
    };
  const listed = new Map(
    [...NODE_SCHEMA.keys()].map((key) => [key, LISTS.get(key)?.(values.get(key)) ?? values.get(key)]),
  );
  const found = container === undefined ? undefined : valuesOnHost(listed, container);
  const checked = new Map(
    [...(found?.values ?? listed)].map(([key, value]) => [
      key,
      { value, origin: `${raw.get(key)?.origin ?? file.name}: ${spelling(key)}` },
    ]),
  );
  const unreachable = found?.addresses.get('operations.listenAddress');
  return {
    kind,
    file: file.name,
    directory: file.directory,
    unreachable,
    missing: found?.missing ?? new Map(),
    warnings: [
      ...variableWarnings(read, source),
      ...(container && found ? containerWarnings(container, found, source, spelling) : []),
    ],
    spelling,
    values: checked,
    get: <T>(key: string) => checked.get(key) as WithOrigin<T>,
  };
}

/** Values of a node in a container as this host has them. */
interface ValuesOnHost {
  /** Without the paths and addresses that this host does not have. */
  readonly values: ReadonlyMap<string, unknown>;
  /** These paths, by their keys. */
  readonly missing: ReadonlyMap<string, string>;
  /** Why this host does not have an address, by its key. */
  readonly addresses: ReadonlyMap<string, string>;
}

function valuesOnHost(values: ReadonlyMap<string, unknown>, container: Container): ValuesOnHost {
  const missing = new Map<string, string>();
  const addresses = new Map<string, string>();
  const pathOnHost = (key: string, inside: string): string => {
    const found = inside === '' ? '' : container.hostPath(inside);
    if (found === undefined && isUsed(key, values)) missing.set(key, inside);
    return found ?? '';
  };
  const addressOnHost = (key: string, listen: HostPort): HostPort | null => {
    const found = container.hostAddress(listen);
    if (typeof found !== 'string') return found;
    addresses.set(
      key,
      `${formatHostPort(listen)} of the container ${container.name} has no address on this host: ${found}`,
    );
    return null;
  };
  const onHost = (key: string, value: unknown): unknown => {
    const { format } = NODE_SCHEMA.get(key) ?? {};
    if (format === 'path') return pathOnHost(key, value as string);
    if (format === 'path-list')
      return (value as readonly string[])
        .map((inside) => pathOnHost(key, inside))
        .filter((found) => found !== '');
    if (format === 'host-port' && value !== null && (value as HostPort).port !== 0)
      return addressOnHost(key, value as HostPort);
    if (key !== 'addressOverrides') return value;
    return (value as readonly AddressOverride[]).map(({ caCertsFile, ...addressesOf }) => ({
      ...addressesOf,
      caCertsFile: caCertsFile && pathOnHost(key, resolve(container.cwd, caCertsFile)),
    }));
  };
  return {
    values: new Map([...values].map(([key, value]) => [key, onHost(key, value)])),
    missing,
    addresses,
  };
}

function containerWarnings(
  { name }: Container,
  { missing, addresses }: ValuesOnHost,
  source: string,
  spelling: NodeConfig['spelling'],
): string[] {
  const paths = [...missing].map(([key, inside]) => `${spelling(key)} ${inside}`);
  const admin = addresses.get('admin.listenAddress');
  const ofPaths = `${source} the container ${name} has these in no directory of this host, so that the agent does not read them: ${paths.join(', ')}; mount their directories from the host`;
  return [
    ...(paths.length === 0 ? [] : [ofPaths]),
    ...(admin === undefined ? [] : [`${source} ${spelling('admin.listenAddress')}: ${admin}; publish it`]),
  ];
}

/** The sample files of Fabric name TLS files that do not exist, without TLS. */
const isUsed = (key: string, values: ReadonlyMap<string, unknown>): boolean => {
  const [, section] = /^((?:admin\.|operations\.)?tls)\./.exec(key) ?? [];
  return section === undefined || values.get(`${section}.enabled`) === true;
};

/** The keys with lists that a variable has as YAML. */
const LISTS: ReadonlyMap<string, (value: unknown) => readonly unknown[]> = new Map([
  ['addressOverrides', (value) => addressOverridesIn(listOf(value))],
  ['externalBuilders', listOf],
]);

/** The keys of {@link NODE_SCHEMA} for a kind of node, with their spelling in its file. */
const keysOf = (kind: NodeDialect): (readonly [key: string, spelling: string])[] =>
  [...NODE_SCHEMA.keys()].flatMap((key) => {
    const spelling = keyIn(kind, key, NODE_SCHEMA);
    return spelling === undefined ? [] : [[key, spelling] as const];
  });

/** A value for {@link checkValues}, which converts and checks it; undefined if there is none. */
function rawValue(
  node: NodeValues,
  key: string,
  format: Setting['format'] | undefined,
): RawValue | undefined {
  const { value, place: origin, variable } = node.value(key);
  if (value === undefined) return undefined;
  const given = { origin, directory: node.directoryOf(key) };
  if (format === checkFlag) {
    // For a peer, a text in a variable that is not a boolean is false; in a file it is probably a mistake.
    const isOn = node.flag(key) ?? (node.kind === 'peer' && variable !== undefined ? false : undefined);
    return { ...given, value: isOn ?? plain(value) };
  }
  if (format === 'path-list' && !Array.isArray(value)) {
    const items = node.list(key)?.filter((item) => item !== '');
    return { ...given, value: items ?? plain(value) };
  }
  // An orderer reads the text from the file.
  const isInFile = node.kind === 'orderer' && namedFile(value) !== undefined;
  return { ...given, value: isInFile ? node.text(key).value : plain(value) };
}

/** Warnings about the variables of a node. */
function variableWarnings(node: NodeValues, source: string): string[] {
  const { kind, variables, file } = node;
  const keys = keysOf(kind);
  const isOfPeer = kind === 'peer';
  const empty = keys
    .map(([, spelling]) => ({ name: nodeVariable(kind, spelling), spelling }))
    .filter(({ name }) => isOfPeer && variables[name] === '')
    .filter(({ spelling }) => ![undefined, ''].includes(node.value(spelling).value as string | undefined));
  const flags = keys
    .filter(([key]) => isOfPeer && NODE_SCHEMA.get(key)?.format === checkFlag)
    .map(([, spelling]) => ({ ...node.value(spelling), isUnknown: node.flag(spelling) === undefined }))
    .filter(({ variable, isUnknown }) => variable !== undefined && isUnknown);
  return [
    ...flags.map(({ origin }) => `${origin}: is neither true nor false: a peer takes it as false`),
    ...ineffectiveVariables(
      node,
      keys.map(([, spelling]) => spelling),
    ).map(
      ({ section, names }) =>
        `${source} ${names.join(', ')}: no effect: ${ineffectiveReason(kind, section, file.name)}`,
    ),
    ...empty.map(
      ({ name }) =>
        `${source} ${name}: is empty: a peer of Fabric 3 takes it as the value; a peer of 2.5, like this agent, takes the value of ${file.name}`,
    ),
  ];
}
