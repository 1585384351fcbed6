// Files that the plugins need and the user of the agent may not read.

import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { BesideNode } from '../../config/index.js';
import type { LoadedPlugin } from '../host/index.js';

/**
 * The files in the options of plugins that exist and cannot be read.
 *
 * @returns by path one line with what to do
 */
export function unreadableFiles(
  plugins: readonly LoadedPlugin[],
  nodes: readonly BesideNode[],
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

/** A key of a node is not needed when the agent has a client certificate of its own, and checks of a node can be switched off. */
function advice(path: string, { name, definition }: LoadedPlugin, nodes: readonly BesideNode[]): string {
  const node = nodes.find((each) => name === each.name || name.startsWith(`${each.name}/`));
  const access = 'run the agent as that user, let its group or an ACL read it';
  const isOwn = node?.client.key.value === path || node?.client.cert.value === path;
  if (node === undefined || isOwn) return access.replace(',', ' or');
  if (![node.tls.key.value, node.admin.key.value].includes(path))
    return name === node.name
      ? access.replace(',', ' or')
      : `${access}, or set ${node.path}.${definition.name} to false`;
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
