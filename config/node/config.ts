// The configuration of a monitored node, from its file and its environment variables. The variables are in the environment of the agent,
// or in a file (environment-file.ts).

import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkValues, type RawValue } from '../check-values.js';
import { readVariables, type Environment, type NodeDialect } from '../overrides.js';
import { readConfigFile, type ConfigFile } from '../config-file.js';
import type { WithOrigin } from '../../core/common/text/with-origin.js';
import { dialectOf, keyIn, readSections } from '../dialects.js';
import { addressOverridesIn } from './address-overrides.js';
import { SETTINGS, type Setting } from '../schema.js';
import {
  ineffectiveReason,
  ineffectiveVariables,
  isGoBoolean,
  isGoTrue,
  isShadowed,
  nodeVariable,
  variableFor,
  type NodeSource,
} from './variables.js';

/** The file of a node. */
export interface NodeFile {
  readonly file: ConfigFile;
  readonly kind: NodeDialect;
}

/** The configuration of a node from its file and its variables. */
export interface NodeConfig {
  readonly kind: NodeDialect;
  /** The name of its file. */
  readonly file: string;
  /** The absolute path of the directory of its file. */
  readonly directory: string;
  /** Warnings about variables that the node ignores, or with an effect that depends on its version. */
  readonly warnings: readonly string[];
  /** The checked value of a key of {@link NODE_SCHEMA}; paths are absolute. */
  get<T>(key: string): WithOrigin<T>;
}

const same = (key: string): readonly [string, Setting] => [key, SETTINGS.get(key) as Setting];
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
  format: 'boolean',
  default: false,
  peer,
  orderer,
});
const port = (orderer: string): Setting => ({
  doc: 'port, which the orderer itself checks',
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
  same('operations.tls.enabled'),
  same('operations.tls.cert.file'),
  same('operations.tls.key.file'),
  same('operations.tls.clientAuthRequired'),
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
  ['listenPort', port('general.listenPort')],
  ['cluster.listenPort', port('general.cluster.listenPort')],
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

/** The keys with paths relative to the working directory. */
const OF_WORKING_DIRECTORY: Readonly<Record<NodeDialect, RegExp>> = {
  orderer: /^(?:General\.Cluster\.Server|General\.BCCSP\.PKCS11\.|Operations\.|Admin\.|Consensus\.)/i,
  peer: /^peer\.BCCSP\.PKCS11\./i,
};

/**
 * Returns true if a node resolves a relative path against its working directory. It resolves all others against the directory of its
 * file (Fabric: orderer/common/localconfig/config.go, `completeInitialization`; core/config/config.go, `GetPath`).
 *
 * @param key as in the file of the node, in any case
 */
export const isOfWorkingDirectory = (kind: NodeDialect, key: string): boolean =>
  OF_WORKING_DIRECTORY[kind].test(key);

const FILES = { peer: 'core.yaml', orderer: 'orderer.yaml' } as const satisfies Record<NodeDialect, string>;

/**
 * Opens the file of a node.
 *
 * @param name a core.yaml or orderer.yaml, or a directory with one of them
 * @throws Error with the problem in one line
 */
export function openNodeFile(name: string, cwd: string): NodeFile {
  const file = readConfigFile(fileIn(name, cwd), cwd);
  const kind = dialectOf(file.tree);
  if (kind === 'agent')
    throw new Error(
      `${file.name}: is neither a peer's core.yaml nor an orderer's orderer.yaml: it has none of the sections peer, chaincode, ledger, General and Operations`,
    );
  return { file, kind };
}

function fileIn(name: string, cwd: string): string {
  if (statSync(resolve(cwd, name), { throwIfNoEntry: false })?.isDirectory() !== true) return name;
  const found = Object.values(FILES)
    .map((file) => join(name, file))
    .filter((file) => existsSync(resolve(cwd, file)));
  const [first, ...others] = found;
  if (first === undefined) throw new Error(`${name}: contains neither core.yaml nor orderer.yaml`);
  if (others.length > 0) throw new Error(`${name}: contains core.yaml and orderer.yaml; name one of them`);
  return first;
}

/** The names of the variables that would configure a node of a kind, in the order of its settings. */
export function variablesOfNode(environment: Environment, kind: NodeDialect): string[] {
  return [...readVariables(environment, kind, NODE_SCHEMA, () => '').values()].map(({ origin }) =>
    origin.replace('environment ', ''),
  );
}

/**
 * Reads the configuration of a node.
 *
 * @param environment the variables of the node
 * @param cwd the working directory of the node
 * @param source the origin of the variables, for messages
 * @returns the configuration, or one line for each invalid value
 */
export function readNodeConfig(
  { file, kind }: NodeFile,
  environment: Environment,
  cwd: string,
  source?: string,
): NodeConfig | { readonly problems: readonly string[] } {
  const spelling = (key: string): string => keyIn(kind, key, NODE_SCHEMA) ?? key;
  const directoryOf = (key: string): string =>
    isOfWorkingDirectory(kind, spelling(key)) ? cwd : file.directory;
  const node: NodeSource = {
    kind,
    tree: file.tree,
    variables: environment,
    hasEmptyValues: false,
    hasCryptoVariables: true,
  };
  const raw = new Map<string, RawValue>();
  for (const [key, value] of readSections(file, kind, NODE_SCHEMA).values)
    if (!isShadowed(node, spelling(key))) raw.set(key, { ...value, directory: directoryOf(key) });
  const inFile = new Map(raw);
  const variables = effectiveVariables(node);
  for (const [key, value] of readVariables(variables, kind, NODE_SCHEMA, directoryOf, source))
    raw.set(key, value);
  const { values, invalid } = checkValues(NODE_SCHEMA, raw);
  if (invalid.length > 0)
    return {
      problems: invalid.map(
        ({ key, origin = file.name, reason }) => `${origin}: ${spelling(key)}: ${reason}`,
      ),
    };
  return {
    kind,
    file: file.name,
    directory: file.directory,
    warnings: variableWarnings(node, file.name, inFile, source),
    get: <T>(key: string) => ({
      value: (key === 'addressOverrides' ? addressOverridesIn(values.get(key)) : values.get(key)) as T,
      origin: `${raw.get(key)?.origin ?? file.name}: ${spelling(key)}`,
    }),
  };
}

/** The keys of {@link NODE_SCHEMA} for a kind of node, with their spelling in its file. */
const keysOf = (kind: NodeDialect): (readonly [key: string, spelling: string])[] =>
  [...NODE_SCHEMA.keys()].flatMap((key) => {
    const spelling = keyIn(kind, key, NODE_SCHEMA);
    return spelling === undefined ? [] : [[key, spelling] as const];
  });

/** The variables that have an effect. For a peer, a text that is not a boolean is false, as in Fabric. */
function effectiveVariables(node: NodeSource): Environment {
  const found = keysOf(node.kind).flatMap(([key, spelling]) => {
    const variable = variableFor(node, spelling);
    if (variable === undefined) return [];
    const isFlag = node.kind === 'peer' && NODE_SCHEMA.get(key)?.format === 'boolean';
    return [[variable.name, isFlag ? String(isGoTrue(variable.text)) : variable.text] as const];
  });
  return Object.fromEntries(found);
}

/** Warnings about the variables of a node. @param inFile the values of its file */
function variableWarnings(
  node: NodeSource,
  file: string,
  inFile: ReadonlyMap<string, RawValue>,
  source = 'environment',
): string[] {
  const { kind, variables } = node;
  const keys = keysOf(kind);
  const empty = keys
    .filter(([key]) => kind === 'peer' && inFile.has(key) && inFile.get(key)?.value !== '')
    .map(([, spelling]) => nodeVariable(kind, spelling))
    .filter((name) => variables[name] === '');
  const flags = keys.flatMap(([key, spelling]) => {
    const variable = kind === 'peer' ? variableFor(node, spelling) : undefined;
    const isFlag = NODE_SCHEMA.get(key)?.format === 'boolean';
    return variable !== undefined && isFlag && !isGoBoolean(variable.text) ? [variable.name] : [];
  });
  return [
    ...flags.map((name) => `${source} ${name}: is neither true nor false: a peer takes it as false`),
    ...ineffectiveVariables(
      node,
      keys.map(([, spelling]) => spelling),
    ).map(
      ({ section, names }) =>
        `${source} ${names.join(', ')}: no effect: ${ineffectiveReason(kind, section, file)}`,
    ),
    ...empty.map(
      (name) =>
        `${source} ${name}: is empty: a peer of Fabric 3 takes it as the value; a peer of 2.5, like this service, takes the value of ${file}`,
    ),
  ];
}
