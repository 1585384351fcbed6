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
  for (const { name, definition, options } of plugins)
    for (const [option, { format }] of Object.entries(definition.options)) {
      const paths = format === 'path' ? [options[option]] : format === 'path-list' ? options[option] : [];
      for (const path of paths as string[])
        if (!lines.has(path) && isForbidden(path))
          lines.set(path, `plugin ${name}: options.${option}: ${describe(path)}: ${advice(path, nodes)}`);
    }
  return lines;
}

/** A key of a node is not needed when the agent has a client certificate of its own. */
function advice(path: string, nodes: readonly BesideNode[]): string {
  const node = nodes.find(({ tls, admin }) => tls.key.value === path || admin.key.value === path);
  const access = 'run the agent as that user, let its group or an ACL read it';
  if (node === undefined || node.client.key.value === path) return access.replace(',', ' or');
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
  const agent = userInfo().username;
  try {
    const { uid, mode } = statSync(path);
    const rights = (mode & 0o777).toString(8);
    return `${path} (mode ${rights}) cannot be read by the user ${agent}; its owner is ${nameOf(uid)}`;
  } catch {
    return `${path} cannot be read by the user ${agent}, who may not enter its directory`;
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
