// Runs a program of the operator: without a shell, with a deadline, with bounded output. It may hang, fork, or ignore signals.

import { spawn, type ChildProcess } from 'node:child_process';
import type { OptionSchema, OptionValues } from '../../core/contract/index.js';
import { quote } from '../../core/common/client/reason.js';
import { onOneLine } from '../../core/common/text/one-line.js';
import { describeSystemError } from '../../core/common/text/system-error.js';

/** Longest output of each stream, in bytes. */
export const MAX_OUTPUT = 64 * 1024;
/** Time between SIGTERM and SIGKILL, in milliseconds. */
const KILL_AFTER = 1_000;
/** How long the output is read after the end of the program, when a child of it keeps the pipes open, in milliseconds. */
const OUTPUT_AFTER_EXIT = 500;

/** The environment of every program, as that of cron. */
const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' };

const COMMAND_RULE = 'must be a list of the program and its arguments, all of them strings';

/** The options of a program. */
export const COMMAND_OPTIONS = {
  command: { format: checkCommand, doc: 'program and arguments, as a list; no shell is used' },
  directory: { format: 'path', default: '', doc: 'working directory; empty: that of the agent' },
  environment: {
    format: checkEnvironment,
    default: {},
    doc: 'variables besides `PATH` and `LANG`; those of the agent are not passed on',
    sensitive: true,
  },
} as const satisfies OptionSchema;

/** The values of {@link COMMAND_OPTIONS}. */
export type CommandOptions = OptionValues<typeof COMMAND_OPTIONS>;

/** How a program ended. */
export interface CommandResult {
  /** The exit status; null when a signal ended it. */
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What else {@link runCommand} needs. */
export interface RunOptions {
  /** Ends the program and all its children. */
  readonly signal: AbortSignal;
  /** The standard input. @default empty */
  readonly input?: string;
  /** Longest output of each stream, in bytes. @default MAX_OUTPUT */
  readonly maxOutput?: number;
}

/**
 * Runs a program.
 *
 * @throws Error when it cannot be started or writes too much; the reason of the signal
 */
export async function runCommand(options: CommandOptions, run: RunOptions): Promise<CommandResult> {
  const { signal, input = '', maxOutput = MAX_OUTPUT } = run;
  signal.throwIfAborted();
  const child = start(options);
  const output = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  let abort: (() => void) | undefined;
  try {
    return await new Promise<CommandResult>((resolve, reject) => {
      abort = () => {
        kill(child);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', abort);
      child.on('error', (error) => reject(new Error(describeStart(options, error), { cause: error })));
      for (const name of ['stdout', 'stderr'] as const) {
        let size = 0;
        child[name]?.on('data', (chunk: Buffer) => {
          size += chunk.length;
          if (size <= maxOutput) output[name].push(chunk);
          else reject(new Error(`its output is larger than ${maxOutput} bytes`));
        });
      }
      const end = (status: number | null, endedBy: NodeJS.Signals | null): void =>
        resolve({ status, signal: endedBy, stdout: textOf(output.stdout), stderr: textOf(output.stderr) });
      child.on('close', end);
      child.on('exit', (status, endedBy) =>
        setTimeout(() => end(status, endedBy), OUTPUT_AFTER_EXIT).unref(),
      );
      // The program may end without reading its input.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    });
  } finally {
    if (abort !== undefined) signal.removeEventListener('abort', abort);
    release(child);
  }
}

function start({ command, directory, environment }: CommandOptions): ChildProcess {
  const [program = '', ...args] = command as readonly string[];
  return spawn(program, args, {
    // A process group of its own, so that a signal reaches its children.
    detached: true,
    env: { ...ENVIRONMENT, ...environment },
    ...(directory !== '' && { cwd: directory }),
  });
}

/** What is still running is killed, and nothing of it is read any more. */
function release(child: ChildProcess): void {
  for (const stream of child.stdio) if (stream?.destroyed === false) kill(child);
  for (const stream of child.stdio) stream?.destroy();
}

/** Ends the process group: first SIGTERM, later SIGKILL. */
function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  signalGroup(pid, 'SIGTERM');
  setTimeout(() => signalGroup(pid, 'SIGKILL'), KILL_AFTER).unref();
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended.
  }
}

/** How a program ended, with the first line that it wrote, such as `exit status 2: no such host`. */
export function describeEnd({ status, signal }: CommandResult, line: string): string {
  const end = signal === null ? `exit status ${status}` : `ended by ${signal}`;
  const said = firstLine(line);
  return said === '' ? end : `${end}: ${said}`;
}

/** The first line of a text, without hidden characters, cut when it is long. */
export const firstLine = (text: string): string => onOneLine(quote(text.trim().split('\n')[0] ?? ''));

const textOf = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8');

function describeStart({ command, directory }: CommandOptions, error: Error): string {
  const [program = ''] = command as readonly string[];
  const reason = describeSystemError(error);
  // The system reports a missing directory like a missing program.
  return directory === '' ? `${program}: ${reason}` : `${program} in ${directory}: ${reason}`;
}

function checkCommand(value: unknown): void {
  const isList = Array.isArray(value) && value.every((word) => typeof word === 'string');
  if (!isList || value.length === 0 || value[0] === '' || value.some((word) => word.includes('\0')))
    throw new Error(COMMAND_RULE);
}

function checkEnvironment(value: unknown): void {
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (
    !isMapping ||
    !Object.entries(value).every(
      ([name, text]) =>
        /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && typeof text === 'string' && !text.includes('\0'),
    )
  )
    throw new Error('must be a mapping of variable names to strings');
}
