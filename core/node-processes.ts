// The processes of peers and orderers on this host, from /proc.

import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { FABRIC_DIRECTORY, NODE_FILES } from '../config/index.js';
import { describeSystemError } from './common/text/system-error.js';

/** A running process of a node. */
export interface NodeProcess {
  readonly pid: number;
  readonly kind: 'peer' | 'orderer';
  /** Whether its files are not those of this host, as in a container; undefined: this user may not know it. */
  readonly isInContainer: boolean | undefined;
}

/** The configuration of a process: its file, and its variables as in `/proc/PID/environ`. */
interface ProcessConfig {
  readonly file: string;
  readonly variables: string;
}

/** The running nodes, in the order of their ids; none on a system without this directory. @param proc the directory of the system */
export function nodeProcesses(proc = '/proc'): readonly NodeProcess[] {
  if (!existsSync(proc)) return [];
  return readdirSync(proc)
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name): NodeProcess[] => {
      const kind = kindOf(argumentsOf(join(proc, name)));
      if (kind === undefined) return [];
      return [{ pid: Number(name), kind, isInContainer: hasOtherFiles(proc, name) }];
    })
    .toSorted((a, b) => a.pid - b.pid);
}

/** The command line of a process; empty after its end. */
function argumentsOf(directory: string): readonly string[] {
  try {
    return readFileSync(join(directory, 'cmdline'), 'utf8').split('\0').slice(0, -1);
  } catch {
    return [];
  }
}

/** The kind of a node by its command line: `peer node start`, `orderer` or `orderer start`. */
function kindOf([program = '', ...args]: readonly string[]): NodeProcess['kind'] | undefined {
  const name = basename(program);
  if (name === 'peer') return args[0] === 'node' && args[1] === 'start' ? 'peer' : undefined;
  return name === 'orderer' && (args.length === 0 || args[0] === 'start') ? 'orderer' : undefined;
}

function hasOtherFiles(proc: string, pid: string): boolean | undefined {
  const [own, other] = ['self', pid].map((name) => {
    try {
      return readlinkSync(join(proc, name, 'ns/mnt'));
    } catch {
      return undefined;
    }
  });
  return own === undefined || other === undefined ? undefined : own !== other;
}

/**
 * The configuration of a process on this host.
 *
 * @throws Error when this user may not read it, or the process has no file
 */
export function configOf({ pid, kind }: NodeProcess, proc = '/proc'): ProcessConfig {
  const directory = join(proc, String(pid));
  const [variables, cwd] = [
    read(() => readFileSync(join(directory, 'environ'), 'utf8')),
    read(() => readlinkSync(join(directory, 'cwd'))),
  ];
  const given = /(?:^|\0)FABRIC_CFG_PATH=([^\0]+)/.exec(variables)?.[1];
  const folders = given === undefined ? [cwd, FABRIC_DIRECTORY] : [resolve(cwd, given)];
  const files = folders.map((folder) => join(folder, NODE_FILES[kind]));
  const file = files.find((each) => existsSync(each));
  if (file === undefined) throw new Error(`${files.join(' and ')}: no such file`);
  return { file, variables };
}

function read(action: () => string): string {
  try {
    return action();
  } catch (error) {
    throw new Error(`${describeSystemError(error)}: run this command as the user of the node, or as root`, {
      cause: error,
    });
  }
}
