// The container of a node in the output of `docker inspect` or `podman inspect`: where this host has the files, the ports and the log of the
// node. Format: Docker Engine API, `GET /containers/{id}/json`.

import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { posix } from 'node:path';
import { parseForeignJson } from '../../core/common/text/foreign-json.js';
import { isAnyHost, type HostPort } from '../../core/common/text/host-port.js';
import type { Environment } from '../dialects.js';
import { isMapping } from '../formats.js';

/** Largest output of `docker inspect`, in bytes. */
const MAX_SIZE = 1024 * 1024;
/** Where Fabric looks for the file of a node without FABRIC_CFG_PATH (Fabric: core/config/config.go, `InitViper`). */
export const FABRIC_DIRECTORY = '/etc/hyperledger/fabric';

/** A directory or file of the host that a container has. */
interface Mount {
  /** The path in the container. */
  readonly destination: string;
  /** The path on the host; undefined: the host has none, such as for tmpfs. */
  readonly source: string | undefined;
}

/** The networks of a container, its names in them, and its published ports. */
export interface ContainerNetwork {
  /** The names of the networks. */
  readonly networks: readonly string[];
  /** Its names for the other containers. */
  readonly names: readonly string[];
  /** The address on the host by the port of the container. */
  readonly published: ReadonlyMap<number, HostPort>;
}

/** The container of a node. Its paths are absolute. */
export interface Container {
  readonly name: string;
  /** The program that starts and stops it. */
  readonly engine: 'docker' | 'podman';
  /** The directory in the container that the node resolves relative paths against. */
  readonly directory: string;
  /** The directory in the container that the node is started in. */
  readonly cwd: string;
  /** @returns the path on the host; undefined if no mount of the container has it */
  readonly hostPath: (path: string) => string | undefined;
  /** @returns the address on the host, or why there is none */
  readonly hostAddress: (listen: HostPort) => HostPort | string;
  /** The network of its own that it has; undefined: it has the network of the host or of another container. */
  readonly network: ContainerNetwork | undefined;
  /** The file with its log, or why there is none. */
  readonly log: { readonly file: string } | { readonly problem: string };
}

type Mapping = Readonly<Record<string, unknown>>;

/**
 * The container in a file with the variables of a node.
 *
 * @param text the content of the file
 * @param variables the variables in it
 * @returns undefined if the file does not describe mounts and ports of a container
 */
export function containerIn(text: string, variables: Environment): Container | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  const document = parseForeignJson(text, MAX_SIZE);
  const [container, ...others]: readonly unknown[] = Array.isArray(document) ? document : [document];
  if (!isMapping(container) || others.length > 0) return undefined;
  const hasNetwork = isMapping(container['NetworkSettings']) || isMapping(container['HostConfig']);
  if (!Array.isArray(container['Mounts']) || !hasNetwork) return undefined;
  const workingDirectory = textIn(mappingIn(container, 'Config'), 'WorkingDir') || '/';
  const mounts = mountsOf(container);
  return {
    name: textIn(container, 'Name').replace(/^\//, '') || 'without a name',
    // Only Podman names the program that runs containers.
    engine: 'OCIRuntime' in container ? 'podman' : 'docker',
    directory: posix.resolve(workingDirectory, variables['FABRIC_CFG_PATH'] || FABRIC_DIRECTORY),
    cwd: workingDirectory,
    hostPath: (path) => pathOnHost(mounts, path),
    hostAddress: (listen) => addressOnHost(container, listen),
    network: networkOf(container),
    log: logOf(container),
  };
}

const mappingIn = (object: Mapping, key: string): Mapping => {
  const value = object[key];
  return isMapping(value) ? value : {};
};
const textIn = (object: Mapping, key: string): string => {
  const value = object[key];
  return typeof value === 'string' ? value : '';
};

function mountsOf(container: Mapping): readonly Mount[] {
  const listed = (container['Mounts'] as readonly unknown[]).flatMap((mount) =>
    isMapping(mount) ? [{ destination: textIn(mount, 'Destination'), source: textIn(mount, 'Source') }] : [],
  );
  const inMemory = Object.keys(mappingIn(mappingIn(container, 'HostConfig'), 'Tmpfs'));
  return [...listed, ...inMemory.map((destination) => ({ destination, source: '' }))]
    .filter(({ destination }) => posix.isAbsolute(destination))
    .map(({ destination, source }) => ({
      destination: posix.resolve(destination),
      source: posix.isAbsolute(source) ? source : undefined,
    }))
    .toSorted((a, b) => b.destination.length - a.destination.length);
}

/** @param mounts the longest destination first: mounts may be nested */
function pathOnHost(mounts: readonly Mount[], path: string): string | undefined {
  const inside = posix.resolve('/', path);
  const mount = mounts.find(
    ({ destination }) =>
      inside === destination || inside.startsWith(destination === '/' ? '/' : `${destination}/`),
  );
  if (mount?.source === undefined) return undefined;
  // An agent in a container with the same mounts has the paths of the node, and not those of the host.
  if (isMissing(mount.source) && !isMissing(inside)) return inside;
  return posix.join(mount.source, posix.relative(mount.destination, inside));
}

/** Returns true if a path does not exist; false also if this user may not know it. */
function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

const networkModeOf = (container: Mapping): string =>
  textIn(mappingIn(container, 'HostConfig'), 'NetworkMode');

function networkOf(container: Mapping): ContainerNetwork | undefined {
  const mode = networkModeOf(container);
  if (mode === 'host' || mode.startsWith('container:')) return undefined;
  const networks = mappingIn(mappingIn(container, 'NetworkSettings'), 'Networks');
  const listed = Object.values(networks)
    .filter(isMapping)
    .flatMap((each) => [each['Aliases'], each['DNSNames']])
    .flat();
  const names = [
    textIn(container, 'Name').replace(/^\//, ''),
    textIn(mappingIn(container, 'Config'), 'Hostname'),
    ...listed.filter((name) => typeof name === 'string'),
  ];
  return {
    networks: Object.keys(networks),
    names: [...new Set(names)].filter((name) => name !== ''),
    published: publishedPorts(container),
  };
}

function publishedPorts(container: Mapping): ReadonlyMap<number, HostPort> {
  const tables = [
    mappingIn(mappingIn(container, 'HostConfig'), 'PortBindings'),
    mappingIn(mappingIn(container, 'NetworkSettings'), 'Ports'),
  ];
  return new Map(
    tables.flatMap((table) =>
      Object.entries(table).flatMap(([port, bindings]): [number, HostPort][] => {
        const [first] = Array.isArray(bindings) ? bindings.flatMap(bindingOf) : [];
        return first !== undefined && port.endsWith('/tcp') ? [[Number.parseInt(port, 10), first]] : [];
      }),
    ),
  );
}

/** Docker forwards a published port to the address of the container in its network, so that a listener on its loopback address gets nothing. */
function addressOnHost(container: Mapping, listen: HostPort): HostPort | string {
  const mode = networkModeOf(container);
  if (mode === 'host') return listen;
  if (mode.startsWith('container:')) return 'the container has the network of another one';
  if (listen.host === 'localhost' || listen.host === '::1' || listen.host.startsWith('127.'))
    return 'only the container itself reaches it';
  return (
    publishedPorts(container).get(listen.port) ?? `the container publishes no port for ${listen.port}/tcp`
  );
}

function bindingOf(binding: unknown): HostPort[] {
  if (!isMapping(binding)) return [];
  const port = Number(textIn(binding, 'HostPort'));
  const host = textIn(binding, 'HostIp');
  const isAny = isAnyHost(host);
  if (!Number.isInteger(port) || port < 1 || port > 65_535 || (!isAny && isIP(host) === 0)) return [];
  return [{ host: isAny ? '127.0.0.1' : host, port }];
}

function logOf(container: Mapping): Container['log'] {
  const file = textIn(container, 'LogPath');
  const driver = textIn(mappingIn(mappingIn(container, 'HostConfig'), 'LogConfig'), 'Type');
  if (!['', 'json-file', 'k8s-file'].includes(driver))
    return { problem: `its driver ${driver} writes no file for it` };
  return file === '' ? { problem: 'the container was never started' } : { file };
}
