// Runs a program without a shell and with bounded output until it ends or is aborted. The program may hang, fork, or ignore signals.

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { SourceError, type OptionSchema, type OptionValues } from '../contract/index.js';
import { quote } from './reason.js';
import { ByteCollector } from '../common/flow/byte-collector.js';
import { onOneLine } from '../common/text/one-line.js';
import { describeSystemError } from '../common/text/system-error.js';

/** Longest output of each stream, in bytes. */
const MAX_OUTPUT = 64 * 1024;
/** Time between SIGTERM and SIGKILL, in milliseconds. */
const KILL_AFTER = 1_000;
/** How long output is read after the program has ended, because a child may keep the pipes open, in milliseconds. */
const OUTPUT_AFTER_EXIT = 500;

/** The environment of every program, as in cron. */
const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' };

const COMMAND_RULE = 'must be a list of the program and its arguments, all of them strings';

/** The options of a program. */
export const COMMAND_OPTIONS = {
  command: {
    format: checkCommand,
    doc: 'program and arguments, as a list; no shell is used',
    sensitive: 'arguments',
  },
  directory: { format: 'path', default: '', doc: 'working directory; empty: the directory of the agent' },
  environment: {
    format: checkEnvironment,
    default: {},
    doc: 'variables besides `PATH` and `LANG`; the variables of the agent are not passed on',
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
  /** The same as bytes: the output need not be UTF-8. */
  readonly stdoutBytes: Buffer;
  readonly stderr: string;
}

/** The signal, the input and the output limit of {@link runCommand}. */
interface RunOptions {
  /** Ends the program and its children, except children in their own process group. */
  readonly signal: AbortSignal;
  /** The standard input. @default empty */
  readonly input?: string;
  /** Longest output of each stream, in bytes. @default MAX_OUTPUT */
  readonly maxOutput?: number;
  /** Receives both streams while the program runs. The result then contains no output, and the size of the output is not limited. */
  readonly onOutput?: (text: string) => void;
}

/** The process groups of programs that may be running. They must not outlive the agent. */
const groups = new Set<number>();
process.on('exit', () => {
  for (const group of groups) signalGroup(group, 'SIGKILL');
});

/**
 * Runs a program.
 *
 * @throws SourceError when it cannot be started or writes too much; the reason of the signal
 */
export async function runCommand(options: CommandOptions, run: RunOptions): Promise<CommandResult> {
  const { signal, input = '', maxOutput = MAX_OUTPUT, onOutput } = run;
  signal.throwIfAborted();
  const child = start(options);
  const output = { stdout: new ByteCollector(maxOutput), stderr: new ByteCollector(maxOutput) };
  let abort: (() => void) | undefined;
  let isClosed = false;
  try {
    return await new Promise<CommandResult>((resolve, reject) => {
      abort = () => reject(signal.reason as Error);
      signal.addEventListener('abort', abort);
      child.on('error', (error) => reject(startError(options, error)));
      for (const name of ['stdout', 'stderr'] as const) {
        child[name]?.on('data', (chunk: Buffer) => {
          if (onOutput !== undefined) {
            onOutput(chunk.toString());
            return;
          }
          if (!output[name].add(chunk))
            reject(new SourceError('too_large', `its output is larger than ${maxOutput} bytes`));
        });
      }
      const end = (status: number | null, endedBy: NodeJS.Signals | null): void => {
        const stdoutBytes = output.stdout.bytes();
        const [stdout, stderr] = [stdoutBytes.toString(), output.stderr.bytes().toString()];
        resolve({ status, signal: endedBy, stdout, stdoutBytes, stderr });
      };
      child.on('close', (status, endedBy) => {
        isClosed = true;
        end(status, endedBy);
      });
      child.on('exit', (status, endedBy) =>
        setTimeout(() => end(status, endedBy), OUTPUT_AFTER_EXIT).unref(),
      );
      // The program may end without reading its input.
      child.stdin?.on('error', () => undefined);
      child.stdin?.end(input);
    });
  } finally {
    if (abort !== undefined) signal.removeEventListener('abort', abort);
    release(child, isClosed);
  }
}

function start(options: CommandOptions): ChildProcess {
  const { command, directory, environment } = options;
  const [program = '', ...args] = command as readonly string[];
  try {
    const child = spawn(program, args, {
      // Its own process group, so that a signal also reaches its children.
      detached: true,
      env: { ...ENVIRONMENT, ...environment },
      ...(directory !== '' && { cwd: directory }),
    });
    if (child.pid !== undefined) groups.add(child.pid);
    return child;
  } catch (error) {
    throw startError(options, error);
  }
}

/** Stops reading the output, and ends the process group if it is still running. */
function release({ pid, stdio }: ChildProcess, isClosed: boolean): void {
  // Without free file descriptors, a program that was not started has no streams, although its type has them.
  for (const stream of (stdio as typeof stdio | undefined) ?? []) stream?.destroy();
  if (pid === undefined) return;
  if (isClosed) groups.delete(pid);
  else kill(pid);
}

/** Ends a process group: first SIGTERM, later SIGKILL. */
function kill(group: number): void {
  signalGroup(group, 'SIGTERM');
  setTimeout(() => {
    signalGroup(group, 'SIGKILL');
    groups.delete(group);
  }, KILL_AFTER).unref();
}

function signalGroup(group: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-group, signal);
  } catch {
    // It has ended.
  }
}

/**
 * Describes how a program ended, with a line of its output, such as `exit status 2: no such host`.
 *
 * @param texts outputs; {@link firstLine} of the first one that has such a line is quoted
 */
export function describeEnd({ status, signal }: CommandResult, ...texts: readonly string[]): string {
  const end = signal === null ? `exit status ${status}` : `ended by ${signal}`;
  const output = texts.map(firstLine).find((line) => line !== '');
  return output === undefined ? end : `${end}: ${output}`;
}

/**
 * The first line of a text that has visible characters, without hidden characters, and cut if it is long; empty if there is no such line.
 */
export const firstLine = (text: string): string =>
  onOneLine(quote(/[^\s\p{Cc}][^\n]*/u.exec(text)?.[0] ?? ''));

function startError(options: CommandOptions, error: unknown): SourceError {
  const { command, directory } = options;
  const [program = ''] = command as readonly string[];
  const reason = `${program}: ${startProblem(program, directory, error)}`;
  return new SourceError('unreachable', reason, { cause: error });
}

/** Why a program could not be started. The system reports several causes as ENOENT. */
function startProblem(program: string, directory: string, error: unknown): string {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
    if (directory !== '' && !existsSync(directory)) return `no such directory: ${directory}`;
    if (!isAbsolute(program)) return 'no such program in PATH';
    if (existsSync(program)) return 'its interpreter does not exist';
  }
  return describeSystemError(error);
}

function checkCommand(value: unknown): void {
  const isList = Array.isArray(value) && value.every((word) => typeof word === 'string');
  if (!isList || value.length === 0 || value[0] === '' || value.some((word) => word.includes('\0')))
    throw new Error(COMMAND_RULE);
  const program = value[0] as string;
  if (program.includes('/') && !isAbsolute(program))
    throw new Error('must begin with an absolute path or the name of a program in PATH');
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
