// Starts a program on a copy of a node's files, to see whether it refuses them. Without a network namespace it gets other ports, and no
// channels, because it would connect to their other nodes.

import { spawnSync } from 'node:child_process';
import { constants, mkdtempSync, statfsSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import { nodeVariable, type NodeValues } from '../../../config/index.js';
import { AgentError, reasonOf } from '../../contract/index.js';
import { describeSystemError } from '../../common/text/system-error.js';
import { withoutCertificates } from '../../common/text/without-certificates.js';
import { runCommand } from '../../kit/command.js';
import { makeCopy, openCopy, planCopy } from './copy.js';
import { accessProblem } from './files.js';
import { hasNamespace, inNamespace, isolate, requireFileName, writtenFolders } from './isolation.js';

/** The outcome of the run. */
export interface Confirmation {
  /** The version that `FILE version` prints, such as `3.0.0`; empty if it prints none. */
  readonly version: string;
  /** Whether it served; false: it refused. Undefined: neither within {@link TIMEOUT}. */
  readonly starts: boolean | undefined;
  /** Whether it ran with the channels of the node. */
  readonly hasChannels: boolean;
  /** The lines of the refusal. */
  readonly prints: readonly string[];
  /** The differences from a normal start, for example that it ran without channels. */
  readonly notes: readonly string[];
}

/** Longest run of the program, in milliseconds. */
const TIMEOUT = 30_000;
/** The program may still end because of a channel for this time after it serves, in milliseconds. */
const SETTLE = 1500;
/** Largest share of the free space for copies. */
const MAX_SHARE = 0.9;
/** Longest output that is kept, in characters. */
const MAX_OUTPUT = 1024 * 1024;
const MAX_LINES = 20;
const SERVES = /Beginning to serve requests|Started peer with ID/;
/** Longest beginning of a line, in characters, that {@link SERVES} can find in earlier output. */
const LONGEST_LINE = 1000;
/** Colours of the terminal. */
// oxlint-disable-next-line no-control-regex
const COLOURS = /\x1b\[[0-9;]*m/g;
/** Lines of a refusal. Besides the log, messages of the decoder of orderer.yaml begin with `* ` up to 3.0, and with the key or a verb since 3.1. */
const REFUSALS =
  /\b(?:PANI|FATA|CRIT)\b|^panic: |^Error: |^\* |^(?:cannot parse |error decoding )?'[\w.[\]]*'[: ]|InitCmd -> |failed to parse config/;

const KINDS = { peer: 'a peer', orderer: 'an orderer' } as const;

/** A program of a node. */
interface NodeProgram {
  readonly kind: NodeValues['kind'];
  /** Such as `3.0.0`. */
  readonly version: string;
}

/** Identifies a program by its `version` command. @throws AgentError `USAGE` if it cannot be run, or is not the program of a node */
export function identifyProgram(program: string): NodeProgram {
  const { stdout, error } = spawnSync(program, ['version'], {
    encoding: 'utf8',
    timeout: TIMEOUT,
    killSignal: 'SIGKILL',
    env: {},
    maxBuffer: MAX_OUTPUT,
  });
  if (error !== undefined) throw new AgentError('USAGE', describeSystemError(error), { cause: error });
  const [, kind] = /^(peer|orderer):$/m.exec(stdout) ?? [];
  const [, version] = /^ ?Version: v?(\S+)/m.exec(stdout) ?? [];
  if (kind === undefined || version === undefined)
    throw new AgentError('USAGE', 'is not the program of a peer or an orderer');
  return { kind: kind as NodeProgram['kind'], version };
}

/**
 * The program of a node on this host: in a directory of PATH, or in `bin` beside `config`, the directory of the file, as in the archives of
 * Fabric. Undefined if there is none.
 */
export function findProgram({ kind, file }: NodeValues, path: string | undefined): string | undefined {
  const { directory } = file;
  const beside = basename(directory) === 'config' ? [join(dirname(directory), 'bin')] : [];
  return [...(path ?? '').split(delimiter).filter(isAbsolute), ...beside]
    .map((place) => join(place, kind))
    .find(isExecutable);
}

function isExecutable(path: string): boolean {
  return (
    statSync(path, { throwIfNoEntry: false })?.isFile() === true &&
    accessProblem(path, constants.X_OK) === undefined
  );
}

/**
 * Starts a program on a copy of a node's files.
 *
 * @param hasLedger whether it gets the ledger: the copy of the ledger of a running node can be inconsistent
 * @throws AgentError `USAGE` if the program cannot be run, or could write to the files of the node; then it has not started
 */
export async function confirm(node: NodeValues, program: string, hasLedger = true): Promise<Confirmation> {
  const { kind, version } = identifyProgram(program);
  if (kind !== node.kind)
    throw new AgentError(
      'USAGE',
      `is the program of ${KINDS[kind]}, but the file configures ${KINDS[node.kind]}`,
    );
  requireFileName(node);
  const isAlone = hasNamespace();
  const copies = writtenFolders(node).map(({ key, path, isLedger }) => ({
    key,
    path,
    isLedger,
    plan: path === '' || (isLedger && !(isAlone && hasLedger)) ? undefined : planCopy(path),
  }));
  const directory = mkdtempSync(join(tmpdir(), 'fabric-ops-agent-preflight-'));
  const copyOf = (key: string): string => join(directory, key);
  try {
    requireSpace(
      directory,
      copies.reduce((sum, { plan }) => sum + (plan?.size ?? 0), 0),
    );
    for (const { key, plan } of copies) if (plan !== undefined) makeCopy(plan, copyOf(key));
    const isolation = await isolate(node, directory, { isAlone, hasLedger, version });
    const folders = copies.map(({ key }) => [nodeVariable(kind, key), copyOf(key)]);
    const { starts, output } = await run(
      node,
      program,
      { ...isolation.variables, ...Object.fromEntries(folders) },
      isAlone,
    );
    const named = copies.map(({ key, path }) => [copyOf(key), path] as const);
    return {
      version,
      starts,
      hasChannels:
        isAlone && hasLedger && copies.every(({ plan, isLedger }) => !isLedger || plan?.isComplete !== false),
      prints: starts === true ? [] : refusalsIn(output, named),
      notes: [...copies.flatMap(({ plan }) => plan?.notes ?? []), ...isolation.notes],
    };
  } finally {
    for (const { key, plan } of copies) if (plan !== undefined) openCopy(plan, copyOf(key));
    // The program may still be ending.
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  }
}

/** Checks that the copies leave free space in the file system, which the node may use as well. @throws AgentError `USAGE` */
function requireSpace(directory: string, size: number): void {
  const { bavail, bsize } = statfsSync(directory);
  const free = bavail * bsize;
  if (size <= free * MAX_SHARE) return;
  const inMebibytes = (bytes: number): string => `${Math.ceil(bytes / 1024 ** 2)} MiB`;
  throw new AgentError(
    'USAGE',
    `the copy of the files of the node needs ${inMebibytes(size)}, and ${tmpdir()} has ${inMebibytes(free)} free: set TMPDIR to a directory with more space`,
  );
}

async function run(
  node: NodeValues,
  program: string,
  variables: Readonly<Record<string, string>>,
  isAlone: boolean,
): Promise<{ readonly starts: boolean | undefined; readonly output: string }> {
  const command = [program, ...(node.kind === 'peer' ? ['node', 'start'] : ['start'])];
  const stop = new AbortController();
  const output = new Tail();
  let settle: NodeJS.Timeout | undefined;
  const timeout = setTimeout(() => stop.abort(), TIMEOUT);
  const onOutput = (text: string): void => {
    if (output.add(text)) settle ??= setTimeout(() => stop.abort(), SETTLE);
  };
  const own = Object.entries(node.variables).filter(([name]) => /^(?:CORE|ORDERER|FABRIC)_/.test(name));
  try {
    await runCommand(
      {
        command: isAlone ? inNamespace(command) : command,
        directory: node.cwd,
        environment: { ...Object.fromEntries(own), FABRIC_CFG_PATH: node.file.directory, ...variables },
      },
      { signal: stop.signal, onOutput },
    );
    return { starts: false, output: output.text };
  } catch (error) {
    if (!stop.signal.aborted) throw new AgentError('USAGE', reasonOf(error), { cause: error });
    return { starts: settle === undefined ? undefined : true, output: output.text };
  } finally {
    clearTimeout(timeout);
    clearTimeout(settle);
  }
}

/** The end of the output of a program. */
class Tail {
  text = '';

  /** @returns whether the new text completes a line that a program prints when it serves; the line may arrive in pieces */
  add(text: string): boolean {
    const before = this.text.length;
    this.text += text;
    const isServing = SERVES.test(this.text.slice(Math.max(0, before - LONGEST_LINE)));
    if (this.text.length > 2 * MAX_OUTPUT) this.text = this.text.slice(-MAX_OUTPUT);
    return isServing;
  }
}

/** The lines with the reason, with the paths of the node instead of the paths of the copies. */
function refusalsIn(output: string, copies: readonly (readonly [copy: string, path: string])[]): string[] {
  let text = withoutCertificates(output.replaceAll(COLOURS, ''));
  for (const [copy, path] of copies) if (path !== '') text = text.replaceAll(copy, path);
  const lines = text.split('\n').filter((line) => REFUSALS.test(line));
  return [...new Set(lines)].slice(0, MAX_LINES);
}
