// Writes lines to a descriptor without blocking the process: it does not use the threads of libuv, all of which can be blocked by file
// operations that hang, and it does not wait for a reader. pino's own destination does both, and retries forever at exit on a full disk.

import { writeSync } from 'node:fs';

/** First and longest delay before a retry, in milliseconds. */
const MIN_RETRY_DELAY = 10;
const MAX_RETRY_DELAY = 200;

interface QueuedLine {
  /** The bytes of the whole line. */
  readonly size: number;
  /** The bytes that are not written yet. */
  rest: Buffer;
  readonly onWritten: () => void;
}

/** Writes lines in order; lines that do not fit into the queue or cannot be written are dropped. */
export class LineWriter {
  readonly #descriptor: number;
  readonly #maxQueued: number;
  readonly #onDropped: () => void;
  readonly #queue: QueuedLine[] = [];
  #queuedBytes = 0;
  #retryDelay = MIN_RETRY_DELAY;
  #retry: NodeJS.Timeout | undefined;
  /** Whether a line was written only in part: the next line needs a line feed before it. */
  #isInsideLine = false;

  /**
   * @param descriptor a non-blocking descriptor, or the descriptor of a file
   * @param maxQueued unwritten output that is kept, in bytes
   * @param onDropped called for each line that is lost
   */
  constructor(descriptor: number, maxQueued: number, onDropped: () => void) {
    this.#descriptor = descriptor;
    this.#maxQueued = maxQueued;
    this.#onDropped = onDropped;
  }

  /** @param onWritten called when the whole line is written */
  write(text: string, onWritten: () => void): void {
    const rest = Buffer.from(text);
    if (this.#queuedBytes + rest.length > this.#maxQueued) return this.#onDropped();
    this.#queue.push({ size: rest.length, rest, onWritten });
    this.#queuedBytes += rest.length;
    if (this.#retry === undefined) this.#writeQueued();
  }

  /** Resolves when the queue is empty. After the timeout, in milliseconds, the remaining lines are dropped. */
  async flush(timeout: number): Promise<void> {
    const end = performance.now() + timeout;
    while (this.#queue.length > 0 && performance.now() < end) {
      this.#writeQueued();
      if (this.#queue.length > 0) await new Promise((resolve) => setTimeout(resolve, MIN_RETRY_DELAY));
    }
    clearTimeout(this.#retry);
    this.#retry = undefined;
    for (const line of this.#queue.splice(0)) this.#drop(line);
    this.#queuedBytes = 0;
  }

  #writeQueued(): void {
    for (let written = 0; ;) {
      const line = this.#queue[written];
      if (line === undefined || !this.#writeLine(line)) {
        // In one step, because shift() of a long array is slow.
        this.#queue.splice(0, written);
        return;
      }
      written += 1;
    }
  }

  /** Returns false if the reader must read first. */
  #writeLine(line: QueuedLine): boolean {
    const before = line.rest.length;
    try {
      if (this.#isInsideLine) this.#isInsideLine = writeSync(this.#descriptor, '\n') !== 1;
      while (line.rest.length > 0) line.rest = line.rest.subarray(writeSync(this.#descriptor, line.rest));
      this.#retryDelay = MIN_RETRY_DELAY;
      line.onWritten();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') {
        this.#queuedBytes -= before - line.rest.length;
        this.#retryLater();
        return false;
      }
      // The reader or the terminal was closed, or the disk is full. The next line is tried again.
      this.#drop(line);
    }
    this.#queuedBytes -= before;
    return true;
  }

  #drop({ size, rest }: QueuedLine): void {
    this.#isInsideLine ||= rest.length < size;
    this.#onDropped();
  }

  #retryLater(): void {
    this.#retry ??= setTimeout(() => {
      this.#retry = undefined;
      this.#writeQueued();
    }, this.#retryDelay).unref();
    this.#retryDelay = Math.min(2 * this.#retryDelay, MAX_RETRY_DELAY);
  }
}
