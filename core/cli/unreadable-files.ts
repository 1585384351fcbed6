// Files that the plugins need and the user of the agent may not read.

import { accessSync, constants, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { LoadedPlugin } from '../host/index.js';

/** The files in the options of plugins that exist and cannot be read, one line for each, with what to do. */
export function unreadableFiles(plugins: readonly LoadedPlugin[]): string[] {
  const users = new Map<string, string>();
  for (const { name, definition, options } of plugins)
    for (const [option, { format }] of Object.entries(definition.options)) {
      const paths = format === 'path' ? [options[option]] : format === 'path-list' ? options[option] : [];
      for (const path of paths as string[])
        if (!users.has(path) && isForbidden(path)) users.set(path, `plugin ${name}: options.${option}`);
    }
  return [...users].map(([path, user]) => `${user}: ${describe(path)}`);
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
  const advice =
    'run the agent as that user, let its group or an ACL read it, or set node.cert and node.key to files of the agent';
  const agent = userInfo().username;
  try {
    const { uid, mode } = statSync(path);
    const rights = (mode & 0o777).toString(8);
    return `${path} (mode ${rights}) cannot be read by the user ${agent}; its owner is ${nameOf(uid)}: ${advice}`;
  } catch {
    return `${path} cannot be read by the user ${agent}, who may not enter its directory: ${advice}`;
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
