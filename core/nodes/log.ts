// Reads the end of the log of a node, from a file or the journal.

import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { NodeLog } from '../../config/index.js';
import { callFile } from '../common/files/file-call.js';
import { UnfinishedCalls } from '../common/flow/unfinished-calls.js';
import { describeSystemError } from '../common/text/system-error.js';
import { within } from '../contract/index.js';
import type { LogStatus } from '../status/index.js';
import { logTextOf } from './log-format.js';
import { lastStartIn, logLinesOf, processEndOf, type ProcessEnd } from './log-lines.js';

/** Reads the end of a log, see {@link readLogEnd}. @param unfinished the calls of journalctl that have not ended */
export type ReadLog = (from: NodeLog, unfinished?: UnfinishedCalls) => Promise<string>;

/** How much of the end of a file is read, in bytes, and how many lines of the journal. */
const READ = { bytes: 256 * 1024, journalLines: 500 };
/** Longest message of journalctl, in UTF-16 units. */
const MAX_MESSAGE = 500;
/** Time after which journalctl is killed, in milliseconds. */
const JOURNAL_TIMEOUT = 5_000;
/** Time after which the agent no longer waits for a killed journalctl, in milliseconds. */
const KILLED_AFTER = JOURNAL_TIMEOUT + 1_000;
/** How long a tail is cached, in milliseconds. */
const MAX_AGE = 10_000;

/** Creates a function that reads the end of a log, at most once in 10 s. It takes at most about 6 s and never rejects. */
export function createLogReader(source: NodeLog, read: ReadLog = readLogEnd): () => Promise<LogStatus> {
  const unfinished = new UnfinishedCalls(1);
  let last: { readonly at: number; readonly tail: Promise<LogStatus> } | undefined;
  return () => {
    if (last === undefined || performance.now() - last.at > MAX_AGE)
      last = { at: performance.now(), tail: readTail(source, unfinished, read) };
    return last.tail;
  };
}

async function readTail(from: NodeLog, unfinished: UnfinishedCalls, read: ReadLog): Promise<LogStatus> {
  const source = logName(from);
  try {
    return { source, ...logLinesOf(await read(from, unfinished)) };
  } catch (error) {
    return { source, lines: [], problem: describeSystemError(error) };
  }
}

/** The name of a log, such as `/var/log/peer.log` or `journal of peer.service`. */
export const logName = (from: NodeLog): string => ('file' in from ? from.file : `journal of ${from.unit}`);

/**
 * The end of a log as the node wrote it, see {@link logTextOf}: the last 256 KiB of a file, or 500 lines of the journal.
 *
 * @throws Error of the system, or if the file is not a regular file
 */
export const readLogText = async (from: NodeLog, read: ReadLog = readLogEnd): Promise<string> =>
  logTextOf(await read(from));

/** The unchanged end of a log. */
export async function readLogEnd(from: NodeLog, unfinished = new UnfinishedCalls(1)): Promise<string> {
  return 'file' in from
    ? callFile(from.file, () => endOfFile(from.file))
    : endOfJournal(from.unit, unfinished);
}

/** The last start in a log. */
interface LastStart {
  /** The line with it, see {@link lastStartIn}. */
  readonly line: string;
  /** How the process before ended, see {@link processEndOf}. */
  readonly endBefore: ProcessEnd | undefined;
}

/**
 * Reads the last start in a log; undefined if the log cannot be read. It takes at most about 6 s and never rejects.
 *
 * @param before the line with the start of the process before; undefined: unknown
 */
export const readLastStart = (
  from: NodeLog,
  before: string | undefined,
  read: ReadLog = readLogEnd,
): Promise<LastStart | undefined> =>
  read(from).then(
    (text) => ({
      line: lastStartIn(text),
      endBefore: before === undefined ? undefined : processEndOf(text, before),
    }),
    () => undefined,
  );

/**
 * How a process ended according to the log, see {@link processEndOf}; undefined also if the log cannot be read. It takes at most about 6 s and
 * never rejects.
 *
 * @param start the line with its start, as {@link LastStart}
 */
export const readProcessEnd = (
  from: NodeLog,
  start: string | undefined,
  read: ReadLog = readLogEnd,
): Promise<ProcessEnd | undefined> =>
  read(from).then(
    (text) => processEndOf(text, start),
    () => undefined,
  );

async function endOfFile(path: string): Promise<string> {
  // A named pipe must not be opened, because its writer would notice it.
  if (!(await stat(path)).isFile()) throw new Error('it is not a regular file');
  // The file may have become a named pipe: without O_NONBLOCK, open() would wait for its writer.
  const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new Error('it is not a regular file');
    const start = Math.max(0, stats.size - READ.bytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(READ.bytes), 0, READ.bytes, start);
    const text = buffer.toString('utf8', 0, bytesRead);
    // The first line is incomplete.
    return start === 0 ? text : text.slice(text.indexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}

async function endOfJournal(unit: string, unfinished: UnfinishedCalls): Promise<string> {
  const args = [
    '--unit',
    unit,
    '--lines',
    String(READ.journalLines),
    '--output',
    'cat',
    '--no-pager',
    '--quiet',
  ];
  try {
    // A process in an uninterruptible disk operation cannot be killed.
    if (unfinished.isFull) throw new Error('an earlier journalctl has not ended');
    return await within(KILLED_AFTER, 'journalctl', undefined, () =>
      unfinished.run(async () => {
        const { stdout } = await promisify(execFile)('journalctl', args, {
          timeout: JOURNAL_TIMEOUT,
          killSignal: 'SIGKILL',
          maxBuffer: 4 * READ.bytes,
        });
        return stdout;
      }),
    );
  } catch (error) {
    const { stderr = '', killed = false } = error as { stderr?: string; killed?: boolean };
    if (killed) throw new Error(`journalctl took longer than ${JOURNAL_TIMEOUT / 1000}s`, { cause: error });
    const [line = ''] = stderr.trim().split('\n');
    throw line === '' ? error : new Error(`journalctl: ${line.slice(0, MAX_MESSAGE)}`, { cause: error });
  }
}
