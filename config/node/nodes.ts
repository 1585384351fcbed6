// Reads the files and variables of the monitored nodes, and combines them with the settings of the agent.

import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import { checkValues, type RawValue } from '../check-values.js';
import type { Environment, NodeDialect } from '../dialects.js';
import { formatHostPort, isAnyHost, type HostPort } from '../../core/common/text/host-port.js';
import { readNodeConfig, variablesOfNode, type NodeConfig } from './config.js';
import type { Container } from './container.js';
import { readEnvironmentFile, type EnvironmentFile } from './environment-file.js';
import { reachedIn } from './network.js';
import { openNodeFile, type NodeFile } from './node-file.js';
import type { WithOrigin } from '../../core/common/text/with-origin.js';
import { logOf, originOf, type NodeDeclaration, type NodeLog } from './entries.js';
import { adminClient, nodeTls, ownClient, type ClientFiles, type NodeTls, type Override } from './tls.js';
import { parseSwitches } from '../formats.js';
import { NODE_KEYS } from '../schema.js';

/** A monitored node, with the origins of its values. */
export interface LoadedNode extends Pick<NodeConfig, 'kind' | 'values'> {
  readonly name: string;
  /** The name of its file. */
  readonly file: string;
  /** The absolute path of the directory of its file. */
  readonly directory: string;
  /** The absolute paths of its file, and of the file with its variables if there is one. */
  readonly files: readonly string[];
  /** Where it was declared. */
  readonly origin: string;
  /** The path of its keys in the settings of the agent: `node` or `nodes[0]`. */
  readonly path: string;
  /** The address of its operations endpoint for clients. */
  readonly address: WithOrigin<HostPort>;
  /** The listen address of its operations endpoint: `node.address` if that is set, else from its configuration. */
  readonly listenAddress: HostPort;
  readonly tls: NodeTls;
  /** The client certificate in `node.cert` and `node.key`. */
  readonly client: ClientFiles;
  /** The client certificate for the Admin endpoint of an orderer. */
  readonly admin: ClientFiles;
  /** The certificate of its operations endpoint; empty: none. */
  readonly serverCertificateFile: string;
  /** The CAs that its operations endpoint verifies client certificates against. */
  readonly clientRootCAFiles: readonly string[];
  readonly metrics: WithOrigin<boolean>;
  readonly health: WithOrigin<boolean>;
  readonly logging: WithOrigin<boolean>;
  /** The logging specification in its own variables; undefined if it has no own variables. */
  readonly spec: string | undefined;
  /** The checks that are switched on or off, by the name of the plugin. */
  readonly checks: WithOrigin<ReadonlyMap<string, boolean>>;
  /** Its log; undefined if it is unknown. */
  readonly log: NodeLog | undefined;
  /** The container that its variables describe; undefined: none. */
  readonly container: Pick<Container, 'name' | 'engine'> | undefined;
  /** Whether its series have the label `node` even if it is the only node. */
  readonly isLabelled: boolean;
  /** Whether metrics and log level may be relayed although only the node has TLS. */
  readonly insecureRelay: boolean;
}

/** The nodes, with the problems and warnings of reading them. */
interface ReadNodes {
  readonly nodes: readonly LoadedNode[];
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** A declaration after its files were read. */
interface OpenedDeclaration {
  readonly entry: NodeDeclaration;
  readonly file: NodeFile;
  readonly values: ReadonlyMap<string, unknown>;
  /** Its own variables with the name of their file; undefined if there is no such file. */
  readonly own: OwnVariables | undefined;
}

/** The file with the variables of one node. */
interface OwnVariables extends EnvironmentFile {
  readonly name: string;
}

/** Collects problems and warnings while the nodes are read. */
interface Findings {
  readonly problems: string[];
  readonly warnings: string[];
}

/**
 * Reads the files of the declared nodes.
 *
 * @param environment variables that describe a node if it is the only node of its kind without its own variables
 * @param cwd the working directory
 */
export function readNodes(
  entries: readonly NodeDeclaration[],
  environment: Environment,
  cwd: string,
): ReadNodes {
  const findings: Findings = { problems: [], warnings: [] };
  const opened = entries.flatMap((entry) => openNode(entry, cwd, findings.problems));
  const sharing = opened.filter(({ own }) => own === undefined);
  const isOnly = (kind: NodeDialect): boolean =>
    sharing.filter(({ file }) => file.kind === kind).length === 1;
  for (const kind of ['peer', 'orderer'] as const)
    if (!isOnly(kind)) warnOfVariables(sharing, kind, environment, findings.warnings);
  const read = opened.flatMap((node) => {
    const { file, own } = node;
    const config =
      own === undefined
        ? readNodeConfig(file, isOnly(file.kind) ? environment : {}, cwd)
        : readNodeConfig(file, own.variables, cwd, `${own.name}:`, own.container);
    if (!('problems' in config)) return [{ node, config }];
    findings.problems.push(...config.problems);
    return [];
  });
  const names = read.map(({ node, config }) => (node.values.get('name') as string) || idOf(config, node.own));
  const nodes = read.flatMap(({ node, config }) => {
    const isTaken = names.filter((name) => name === idOf(config, node.own)).length > 1;
    return describeNode(node, config, isTaken, findings, cwd).map((found) =>
      withNetwork(found, node.own, containersOf(opened, 'orderer'), findings.warnings),
    );
  });
  findings.problems.push(...duplicates(nodes));
  return { nodes, ...findings };
}

/** The names of the file of a node and of the file with its variables; empty: none. */
export interface NodeFiles {
  readonly file: string;
  readonly environmentFile: string;
}

/** The checked values of a declared node and its files; none, after reporting the problems, if the declaration is not valid. */
export function declaredNode(
  entry: NodeDeclaration,
  cwd: string,
  problems: string[],
): (NodeFiles & { readonly values: ReadonlyMap<string, unknown> })[] {
  const { values, invalid } = checkValues(NODE_KEYS, entry.raw);
  problems.push(
    ...invalid.map(({ key, origin = entry.origin, reason }) => `${origin}: ${entry.path}.${key}: ${reason}`),
  );
  if (invalid.length > 0) return [];
  const given = entry.raw.get('config');
  const path = values.get('config') as string;
  if (given === undefined || path === '') {
    problems.push(`${entry.origin}: config is required: ${NODE_KEYS.get('config')?.doc ?? ''}`);
    return [];
  }
  const environmentFile = shownName(entry.raw.get('environment'), values.get('environment') as string, cwd);
  return [{ file: shownName(given, path, cwd), environmentFile, values }];
}

function openNode(entry: NodeDeclaration, cwd: string, problems: string[]): OpenedDeclaration[] {
  return declaredNode(entry, cwd, problems).flatMap(({ file, environmentFile, values }) => {
    try {
      const own =
        environmentFile === ''
          ? undefined
          : { name: environmentFile, ...readEnvironmentFile(environmentFile, cwd) };
      return [{ entry, file: openNodeFile(file, cwd), values, own }];
    } catch (error) {
      problems.push((error as Error).message);
      return [];
    }
  });
}

/**
 * The variables of a node, with its container: those in its own file; else the environment, if it is the only node of its kind without such a
 * file.
 *
 * @throws Error if the file with the variables cannot be read
 */
export function variablesOfNamedNode(
  { file, environmentFile }: NodeFiles,
  nodes: readonly NodeFiles[],
  environment: Environment,
  cwd: string,
): EnvironmentFile {
  if (environmentFile !== '') return readEnvironmentFile(environmentFile, cwd);
  const kind = kindOf(file, cwd);
  const sharing = nodes.filter((each) => each.environmentFile === '' && kindOf(each.file, cwd) === kind);
  return { variables: sharing.length === 1 ? environment : {}, container: undefined };
}

function kindOf(file: string, cwd: string): NodeDialect | undefined {
  try {
    return openNodeFile(file, cwd).kind;
  } catch {
    return undefined;
  }
}

/** The name of a file for messages: a name from the command line is shown as written. */
const shownName = (given: RawValue | undefined, path: string, cwd: string): string =>
  given?.directory === cwd ? (given.value as string) : path;

/** Warns of variables that could describe any of several nodes of a kind, and are therefore ignored. */
function warnOfVariables(
  nodes: readonly OpenedDeclaration[],
  kind: NodeDialect,
  environment: Environment,
  warnings: string[],
): void {
  const count = nodes.filter(({ file }) => file.kind === kind).length;
  const variables = count === 0 ? [] : variablesOfNode(environment, kind);
  if (variables.length > 0)
    warnings.push(
      `environment ${variables.join(', ')}: ignored, because there are ${count} nodes of the kind ${kind}; give each of them a file with its variables (--node-env), or set name, address and certificates of each node under nodes`,
    );
}

function describeNode(
  { entry, file, values, own }: OpenedDeclaration,
  config: NodeConfig,
  isTaken: boolean,
  findings: Findings,
  cwd: string,
): LoadedNode[] {
  const override: Override = (key) => ({
    value: values.get(key) as string,
    origin: originOf(entry, key),
  });
  const flag = (key: string): WithOrigin<boolean> => ({
    value: values.get(key) as boolean,
    origin: originOf(entry, key),
  });
  findings.warnings.push(...config.warnings);
  const given = override('name');
  if (given.value !== '' && !NAME.test(given.value)) {
    findings.problems.push(
      `${given.origin}: must be letters, digits, '_' and '-', in parts joined by '.': value was ${JSON.stringify(given.value)}`,
    );
    return [];
  }
  const listen = config.get<HostPort | null>('operations.listenAddress');
  const address = addressOf(
    entry,
    listen,
    values.get('address') as HostPort | null,
    config,
    findings.problems,
  );
  if (address === undefined) return [];
  if (given.value === '') warnOfSampleId(config, findings.warnings);
  const name =
    given.value ||
    (isTaken || isSampleId(config) ? nameByAddress(config.kind, address.value) : idOf(config, own));
  const tls = nodeTls(config, override, address.value);
  const client = ownClient(override);
  if (tls.tls.value && tls.ca.value === '' && tls.certificate.value === '')
    findings.problems.push(
      `${tls.tls.origin}: the server certificate of ${name} cannot be verified: its file names neither a CA nor a certificate; set ${entry.path}.ca`,
      // Explains which files this host does not have, because warnings are not shown together with problems.
      ...(own?.container === undefined ? [] : config.warnings),
    );
  const metrics = entry.raw.has('metrics')
    ? flag('metrics')
    : metricsOf(entry, name, config, findings.warnings);
  return [
    {
      name,
      kind: file.kind,
      file: config.file,
      directory: config.directory,
      files: [config.file, ...(own === undefined ? [] : [own.name])].map((path) => resolve(cwd, path)),
      origin: entry.origin,
      path: entry.path,
      address,
      listenAddress: entry.raw.has('address') ? address.value : (listen.value ?? address.value),
      tls,
      client,
      admin: adminClient(config, client),
      serverCertificateFile: config.get<string>('operations.tls.cert.file').value,
      clientRootCAFiles: config.get<readonly string[]>('operations.tls.clientRootCAs.files').value,
      metrics,
      health: flag('health'),
      logging: flag('logging'),
      spec: own && (own.variables['FABRIC_LOGGING_SPEC'] ?? ''),
      checks: { value: parseSwitches(values.get('checks')), origin: originOf(entry, 'checks') },
      values: config.values,
      log:
        logOf(entry, values.get('log') as string, findings.problems) ??
        logOfContainer(own, entry.path, findings.warnings),
      container: own?.container && { name: own.container.name, engine: own.container.engine },
      isLabelled: values.get('label') === 'always',
      insecureRelay: values.get('insecureRelay') as boolean,
    },
  ];
}

const containersOf = (opened: readonly OpenedDeclaration[], kind: NodeDialect): Container[] =>
  opened.flatMap(({ file, own }) => (file.kind === kind ? (own?.container ?? []) : []));

/** Adds the value `network` to a peer in a container with a network of its own, and warns of what is not checked there. */
function withNetwork(
  node: LoadedNode,
  own: OwnVariables | undefined,
  orderers: readonly Container[],
  warnings: string[],
): LoadedNode {
  if (node.kind !== 'peer' || own?.container?.network === undefined) return node;
  const { addresses, unchecked } = reachedIn(own.container.network, node.values, orderers);
  if (unchecked.length > 0)
    warnings.push(
      `${own.name}: the agent is not in the network of the container ${own.container.name}, and does not check ${unchecked.join(', ')}`,
    );
  return {
    ...node,
    values: new Map([...node.values, ['network', { value: addresses, origin: node.origin }]]),
  };
}

/** The log of the container of a node, unless this user may not read it. */
function logOfContainer(
  own: OwnVariables | undefined,
  path: string,
  warnings: string[],
): NodeLog | undefined {
  if (own?.container === undefined) return undefined;
  const { name, log } = own.container;
  if ('file' in log && isReadable(log.file)) return log;
  const problem = 'file' in log ? `this user cannot read ${log.file}` : log.problem;
  warnings.push(
    `${own.name}: the log of the container ${name} is not read, so that its errors are not shown: ${problem}; set ${path}.log`,
  );
  return undefined;
}

function isReadable(file: string): boolean {
  try {
    accessSync(file, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

/** A valid name, which is one part of a URL path and of a StatsD bucket, so it must not contain `/`. */
const NAME = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;

/** The id of a node in its file, as a name; of an orderer, which has none, the name of its container, else its kind. */
function idOf(config: NodeConfig, own: OwnVariables | undefined): string {
  const id = config.kind === 'orderer' ? own?.container?.name : config.get<unknown>('id').value;
  const text = typeof id === 'string' || typeof id === 'number' ? String(id) : '';
  const parts = text.split('.').map((part) => part.replaceAll(/[^A-Za-z0-9_-]+/g, '-'));
  return parts.filter((part) => part !== '').join('.') || config.kind;
}

const ON_THIS_HOST = /^(?:127\.[\d.]+|localhost|::1)$/;

/** The name of a node whose id is not unique: `orderer-9443` on this host, else `host-9443`. */
function nameByAddress(kind: NodeDialect, { host, port }: HostPort): string {
  const name = ON_THIS_HOST.test(host) ? kind : host.replaceAll(/[^A-Za-z0-9_.-]+/g, '-');
  return `${name}-${port}`;
}

/** The value of `peer.id` in Fabric's `sampleconfig/core.yaml`. */
const SAMPLE_ID = 'jdoe';

const isSampleId = (config: NodeConfig): boolean =>
  config.kind === 'peer' && config.get<unknown>('id').value === SAMPLE_ID;

/** Warns of the sample id: a peer in a container often has Fabric's sample file, with variables that override it. */
function warnOfSampleId(config: NodeConfig, warnings: string[]): void {
  if (isSampleId(config))
    warnings.push(
      `${config.get<unknown>('id').origin}: is the sample value ${SAMPLE_ID}: is the peer configured with variables? name them with --node-env`,
    );
}

/** The address of the endpoint of a node; undefined, after reporting a problem, if there is no fixed address. */
function addressOf(
  entry: NodeDeclaration,
  { value: listen, origin }: WithOrigin<HostPort | null>,
  given: HostPort | null,
  { unreachable, warnings }: NodeConfig,
  problems: string[],
): WithOrigin<HostPort> | undefined {
  if (given !== null) return { value: given, origin: originOf(entry, 'address') };
  if (unreachable !== undefined) {
    problems.push(`${origin}: ${unreachable}; publish it, or set ${entry.path}.address`);
    return undefined;
  }
  // Without a port in its configuration, the node listens on a random port.
  if (listen === null || listen.port === 0) {
    const found = listen === null ? 'is empty' : `is ${formatHostPort(listen)}`;
    problems.push(
      `${origin}: ${found}, so the operations endpoint of the node has no fixed port; set it there, or set ${entry.path}.address`,
      // Explains why a variable does not set it, because warnings are not shown together with problems.
      ...warnings.filter((each) => each.includes('_OPERATIONS_')),
    );
    return undefined;
  }
  return {
    value: { host: isAnyHost(listen.host) ? '127.0.0.1' : listen.host, port: listen.port },
    origin,
  };
}

/** Metrics are relayed if the node serves them. */
function metricsOf(
  entry: NodeDeclaration,
  name: string,
  config: NodeConfig,
  warnings: string[],
): WithOrigin<boolean> {
  const { value, origin } = config.get<unknown>('metrics.provider');
  if (value === 'prometheus') return { value: true, origin };
  warnings.push(
    `${origin}: is ${String(value)}: the metrics of ${name} are not relayed, and /metrics has only the metrics of this agent; set prometheus in the file of the node, or ${entry.path}.metrics: true if the node serves /metrics nevertheless`,
  );
  return { value: false, origin };
}

function duplicates(nodes: readonly LoadedNode[]): string[] {
  const problems: string[] = [];
  nodes.forEach((node, index) => {
    const earlier = nodes.slice(0, index);
    const address = formatHostPort(node.address.value);
    const other = earlier.find(({ address: { value } }) => formatHostPort(value) === address);
    const named = earlier.find(({ name }) => name === node.name);
    if (named !== undefined && named !== other)
      problems.push(
        `${node.origin}: duplicate node name '${node.name}', already used by ${named.origin}; give one of them another name (--node NAME=FILE, or name under nodes)`,
      );
    if (other !== undefined)
      problems.push(
        `${node.address.origin}: ${other.name} and ${node.name} have the same address, ${address}; give each node its own file or its own variables (environment, --node-env)`,
      );
  });
  return [...new Set(problems)];
}
