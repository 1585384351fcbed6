// Checks of `config check` and `start` before anything starts: the certificates for the nodes, the addresses, and the file permissions of
// the user. Nothing is sent to a node.

import { lookup } from 'node:dns/promises';
import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { isIP } from 'node:net';
import { networkInterfaces, userInfo } from 'node:os';
import { join } from 'node:path';
import { SettingsError, type LoadedNode, type LoadedSettings } from '../../config/index.js';
import { certificatesIn, clientProblem, isValidFor } from '../common/certificates/accepted.js';
import { isIssuedBy } from '../common/certificates/chain.js';
import { readCertificates, readKeyPair } from '../common/certificates/tls-files.js';
import { untilAborted } from '../common/flow/until-aborted.js';
import { ownerOf } from '../common/text/component.js';
import { formatHostPort, isAnyHost, type HostPort } from '../common/text/host-port.js';
import type { WithOrigin } from '../common/text/with-origin.js';
import { reasonOf } from '../contract/index.js';
import type { LoadedPlugin } from '../host/index.js';

/**
 * One line for each problem of the TLS files for the nodes that would prevent connections between node and agent.
 *
 * @param isReported whether it is already reported that a file cannot be read
 */
export function nodeCertificateProblems(
  nodes: readonly LoadedNode[],
  isReported = (_path: string): boolean => false,
): string[] {
  return nodes.flatMap((node) => {
    const checks = node.tls.tls.value ? [checkServer, checkClient] : [checkAdminClient];
    return checks
      .flatMap((check) => reasons(() => check(node), isReported))
      .map((reason) => `node ${node.name}: ${reason}`);
  });
}

function reasons(check: () => void, isReported: (path: string) => boolean): string[] {
  try {
    check();
    return [];
  } catch (error) {
    const { path } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException;
    return path !== undefined && isReported(path) ? [] : [reasonOf(error)];
  }
}

/** @throws Error when the certificate of the node would be refused */
function checkServer({ tls, address, serverCertificateFile: file }: LoadedNode): void {
  if (tls.ca.value === '') {
    readCertificates(tls.certificate.value, 'server certificate');
    return;
  }
  const cas = readCertificates(tls.ca.value, 'CA').certificates;
  const chain = certificatesIn(file);
  const [certificate] = chain;
  // The certificate may be readable only for the node.
  if (certificate === undefined) return;
  if (!isIssuedBy(chain, cas))
    throw new Error(
      `server certificate ${file} was not issued by the CA ${tls.ca.value} (${tls.ca.origin}); set another ca`,
    );
  const name = tls.serverName.value || address.value.host;
  if (!isValidFor(certificate, name))
    throw new Error(
      `server certificate ${file} is valid for ${certificate.subjectAltName ?? 'no name'}, not for ${name}; set serverName`,
    );
}

/** @throws Error when the node would refuse the client certificate */
function checkClient({ tls, clientRootCAFiles }: LoadedNode): void {
  if (tls.cert.value === '' && tls.key.value === '')
    throw new Error(
      'there is no client certificate, which /metrics and /logspec of the node require; set cert and key',
    );
  checkClientFiles(tls, clientRootCAFiles);
}

/** @throws Error when the Admin endpoint would refuse our client certificate */
function checkAdminClient({ client, admin, values }: LoadedNode): void {
  if (admin === client && values.get('admin.tls.enabled')?.value === true)
    checkClientFiles(client, values.get('admin.tls.clientRootCAs')?.value as readonly string[]);
}

function checkClientFiles({ cert, key }: LoadedNode['client'], clientRootCAFiles: readonly string[]): void {
  if (cert.value === '' || key.value === '') throw new Error('cert and key must be set together');
  const files = { cert: cert.value, key: key.value };
  const { certificates } = readKeyPair(files, { cert: 'client certificate', key: 'private key' });
  const cas = clientRootCAFiles.flatMap(certificatesIn);
  // The client CAs may be readable only for the node.
  const problem = cas.length === 0 ? undefined : clientProblem(certificates, cas);
  if (problem !== undefined)
    throw new Error(
      `the node refuses the client certificate ${cert.value} (${cert.origin}): ${problem}; set cert and key`,
    );
}

/**
 * One line for each node whose MSP is missing, which then does not start.
 *
 * @param isReported whether it is already reported that a directory cannot be read
 */
export function mspProblems(nodes: readonly LoadedNode[], isReported: (path: string) => boolean): string[] {
  return nodes.flatMap(({ name, values }) => {
    const { value, origin } = values.get('msp') as WithOrigin<string>;
    if (value === '' || isReported(value)) return [];
    const missing = [value, join(value, 'signcerts')].find((path) => isMissing(path));
    return missing === undefined ? [] : [`node ${name}: ${origin}: ${missing}: no such directory`];
  });
}

/** Returns true if a path is no directory; false also if this user may not know it. */
function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true;
  } catch {
    return false;
  }
}

/** Longest lookup of a host name, in milliseconds. */
const LOOKUP_TIMEOUT = 2000;

/**
 * Checks that no node has the address of the agent. Host names are looked up; names that cannot be resolved are skipped.
 *
 * @throws SettingsError
 */
export async function checkNodeAddresses({ settings, effective, nodes }: LoadedSettings): Promise<void> {
  const { listenAddress } = settings.operations;
  const samePort = nodes.filter(({ listenAddress: { port } }) => port !== 0 && port === listenAddress.port);
  const shared = await Promise.all(samePort.map((node) => overlaps(listenAddress, node.listenAddress)));
  const origin = effective.get('operations.listenAddress')?.origin ?? 'default';
  const problems = samePort
    .filter((_, index) => shared[index])
    .map((node) => problemOf(origin, listenAddress, node));
  if (problems.length > 0) throw new SettingsError(problems);
}

function problemOf(origin: string, own: HostPort, { name, address, listenAddress }: LoadedNode): string {
  return `${origin}: operations.listenAddress: ${formatHostPort(own)} is the address of the node ${name}, which listens on ${formatHostPort(listenAddress)} (${address.origin}); set another port for this agent`;
}

/** Whether two addresses with the same port cannot be listened on at the same time. */
async function overlaps(own: HostPort, node: HostPort): Promise<boolean> {
  if (isAnyHost(node.host)) return true;
  const nodeHosts = await resolveHost(node.host);
  if (isAnyHost(own.host)) return nodeHosts.some(isOfThisMachine);
  const ownHosts = await resolveHost(own.host);
  return nodeHosts.some((host) => ownHosts.includes(host));
}

async function resolveHost(host: string): Promise<string[]> {
  if (isIP(host) !== 0) return [host];
  // Must not depend on the resolver.
  if (host === 'localhost') return ['127.0.0.1', '::1'];
  try {
    const found = await untilAborted(lookup(host, { all: true }), AbortSignal.timeout(LOOKUP_TIMEOUT));
    return found.map(({ address }) => address);
  } catch {
    return [];
  }
}

/** One line for each host name in the options of plugins that has no address. */
export async function unresolvedNames(plugins: readonly LoadedPlugin[]): Promise<string[]> {
  const places = new Map<string, string>();
  for (const { name, definition, options } of plugins)
    for (const [option, { format }] of Object.entries(definition.options)) {
      const { host } = ((format === 'host-port' ? options[option] : undefined) as HostPort) ?? { host: '' };
      if (host !== '' && !places.has(host)) places.set(host, `plugin ${name}: options.${option}`);
    }
  const found = await Promise.all(
    [...places].map(async ([host, place]) =>
      (await resolveHost(host)).length > 0
        ? []
        : [`${place}: the name ${host} cannot be resolved: correct it, or the name resolution of this host`],
    ),
  );
  return found.flat();
}

function isOfThisMachine(address: string): boolean {
  if (address.startsWith('127.') || address === '::1') return true;
  return Object.values(networkInterfaces()).some((each) => each?.some((one) => one.address === address));
}

/**
 * Finds files in the options of plugins that exist and cannot be read.
 *
 * @returns one line of advice for each path
 */
export function unreadableFiles(
  plugins: readonly LoadedPlugin[],
  nodes: readonly LoadedNode[],
): ReadonlyMap<string, string> {
  const lines = new Map<string, string>();
  for (const plugin of plugins) {
    const { name, definition, options } = plugin;
    for (const [option, { format }] of Object.entries(definition.options)) {
      const paths = format === 'path' ? [options[option]] : format === 'path-list' ? options[option] : [];
      for (const path of paths as string[])
        if (!lines.has(path) && isForbidden(path))
          lines.set(
            path,
            `plugin ${name}: options.${option}: ${describe(path)}: ${advice(path, plugin, nodes)}`,
          );
    }
  }
  return lines;
}

/** The agent does not need the key of a node if it has its own client certificate, and the checks of a node can be switched off. */
function advice(path: string, { name, definition }: LoadedPlugin, nodes: readonly LoadedNode[]): string {
  const owner = ownerOf(
    name,
    nodes.map((each) => each.name),
  );
  const node = nodes.find((each) => each.name === owner);
  const access = 'run the agent as that user, let its group or an ACL read it';
  const isOwn = node?.client.key.value === path || node?.client.cert.value === path;
  if (node === undefined || isOwn) return access.replace(',', ' or');
  if (![node.tls.key.value, node.admin.key.value].includes(path))
    return name === node.name
      ? access.replace(',', ' or')
      : `${access}, or set ${node.path}.checks to {${definition.name}: false}`;
  return node.client.key.value === ''
    ? `${access}, or set ${node.path}.cert and ${node.path}.key to files of the agent`
    : `${access}, or let a CA of Admin.TLS.ClientRootCAs issue ${node.path}.cert`;
}

function isForbidden(path: string): boolean {
  if (path === '') return false;
  try {
    // The free space of a directory is known without reading it.
    if (!statSync(path).isDirectory()) accessSync(path, constants.R_OK);
    return false;
  } catch (error) {
    // The plugin itself reports any other reason: a directory, for example, may be made later.
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
}

function describe(path: string): string {
  const agent = agentName();
  try {
    const { uid, mode } = statSync(path);
    const rights = (mode & 0o777).toString(8);
    return `${path} (mode ${rights}) cannot be read by ${agent}; its owner is ${nameOf(uid)}`;
  } catch {
    return `${path} cannot be read by ${agent}, who may not enter its directory`;
  }
}

/** Containers often run as a user that the system does not know. */
function agentName(): string {
  try {
    return `the user ${userInfo().username}`;
  } catch {
    return 'this user, who has no name';
  }
}

/** The name of a user, or the number if the system has no name for it. */
function nameOf(uid: number): string {
  try {
    const line = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((each) => each.split(':')[2] === String(uid));
    return line?.split(':')[0] ?? `user ${uid}`;
  } catch {
    return `user ${uid}`;
  }
}
