// Calls on files that can hang, for example on a network file system without its server. Such a call cannot be cancelled, and it occupies
// one of libuv's four threads until it ends. These threads also look up host names, compress and read all other files.

import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { ByteCollector } from '../flow/byte-collector.js';
import { setDeadline } from '../flow/deadline.js';
import { limitCalls } from '../flow/limit-calls.js';
import { untilAborted } from '../flow/until-aborted.js';
import { formatDuration } from '../text/duration.js';
import { checkKind } from './regular-file.js';

/** Time limit of a call, with the wait for other calls, in milliseconds in which this process runs. */
export const FILE_TIMEOUT = 5_000;
/** Most calls at a time. The other threads stay free if all of these calls hang. */
export const MAX_FILE_CALLS = 2;
/** Size of one read, in bytes. */
const READ_SIZE = 64 * 1024;

/** A call on a file was not made or has not ended, because a file system does not respond. */
export class FileNotResponding extends Error {
  override readonly name = 'FileNotResponding';
  /** Whether the file itself does not respond; otherwise its state is unknown, because other files occupy the threads. */
  readonly isOwn: boolean;
  /** Time for which a call on the file itself has been hanging, in milliseconds; 0 if this is unknown. */
  readonly duration: number;

  constructor(message: string, isOwn: boolean, duration = 0) {
    super(message);
    this.isOwn = isOwn;
    this.duration = duration;
  }
}

const limited = limitCalls(MAX_FILE_CALLS);
/** The calls that exceeded their deadlines and have not ended. */
const late = new Set<{ readonly path: string; readonly since: number }>();

/**
 * Makes a call on a file with a deadline. No call begins while a late call on the same path has not ended.
 *
 * @param call asynchronous functions of `node:fs`, one after the other
 * @throws FileNotResponding, or errors of the call
 */
export async function callFile<T>(path: string, call: () => Promise<T>): Promise<T> {
  const same = [...late].find((other) => other.path === path);
  if (same !== undefined) throw notResponding(same.since);
  if (late.size >= MAX_FILE_CALLS) throw othersNotResponding();
  const abort = new AbortController();
  let running: { readonly path: string; readonly since: number } | undefined;
  const cancel = setDeadline(FILE_TIMEOUT, () => {
    if (running !== undefined) late.add(running);
    abort.abort(running === undefined ? othersNotResponding() : notResponding(running.since));
  });
  const run = async (): Promise<T> => {
    const own = { path, since: performance.now() };
    running = own;
    try {
      return await call();
    } finally {
      running = undefined;
      late.delete(own);
    }
  };
  try {
    return await untilAborted(limited(run, abort.signal), abort.signal);
  } finally {
    cancel();
  }
}

/**
 * Reads a complete regular file with {@link callFile}, like `readRegularBytes`.
 *
 * @param maxSize in bytes
 * @throws FileNotResponding, Error of the system, or Error for a file of another kind or a larger one
 */
export function readForeignBytes(path: string, maxSize: number): Promise<Buffer> {
  return callFile(path, async () => {
    checkKind(await stat(path));
    // Without O_NONBLOCK open() waits for the writer of a named pipe, which may have replaced the file.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      checkKind(await handle.stat());
      const content = new ByteCollector(maxSize);
      const buffer = Buffer.allocUnsafe(READ_SIZE);
      for (;;) {
        const { bytesRead } = await handle.read(buffer);
        if (bytesRead === 0) return content.bytes();
        if (!content.add(buffer.subarray(0, bytesRead)))
          throw new Error(`it is larger than ${maxSize} bytes`);
      }
    } finally {
      await handle.close();
    }
  });
}

/** @param since when the call began, as `performance.now()` */
const notResponding = (since: number): FileNotResponding =>
  new FileNotResponding(
    `it did not respond within ${formatDuration(FILE_TIMEOUT)}`,
    true,
    performance.now() - since,
  );

function othersNotResponding(): FileNotResponding {
  const paths = [...late].map(({ path }) => path).join(', ');
  return new FileNotResponding(`not read, because other files do not respond: ${paths}`, false);
}
