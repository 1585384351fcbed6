// Translates bodies in a thread, one after the other, so that the event loop serves other requests meanwhile.

import { Worker, type MessagePort, type Transferable } from 'node:worker_threads';
import type { ByteBudget, Share } from '../../core/common/server/byte-budget.js';
import type { Body } from '../../core/common/server/response-sender.js';
import { attempt } from '../../proto/errors.js';
import type { Bounds } from '../../proto/limits.js';
import { THREAD_IDLE_TIMEOUT, THREAD_MEMORY_PER_BYTE, THREAD_MIN_MEMORY } from './limits.js';
import { INTERNAL_ERROR, RequestError, TOO_BUSY, textReply, type Reply } from './reply.js';
import type { Translation, TranslationRequest } from './route.js';

/** Options of {@link TranslationThread}. */
interface ThreadOptions {
  /** The module that the thread runs: it calls {@link serveThread}. Its `workerData` are the bounds. */
  readonly module: URL;
  readonly bounds: Bounds;
  /** The maximum body, in bytes. */
  readonly maxBody: number;
  /** Counts the bytes of waiting bodies. */
  readonly budget: ByteBudget;
}

interface Job {
  readonly request: TranslationRequest;
  readonly share: Share;
  readonly resolve: (reply: Reply) => void;
}

const TOO_MUCH_MEMORY = textReply(
  413,
  'the translation of this body takes more memory than the service has; send a smaller body',
);

/** A thread for translations: the first one starts it, and it ends after {@link THREAD_IDLE_TIMEOUT} without any. */
export class TranslationThread {
  readonly #options: ThreadOptions;
  /** In the order of their requests. */
  readonly #waiting = new Set<Job>();
  #current: Job | undefined;
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  /**
   * Translates a body, whose memory passes to the thread.
   *
   * @param onClose calls back when the client is gone: a body that still waits is dropped
   * @throws RequestError 503 other requests needed the memory
   */
  translate(request: TranslationRequest, onClose: (listener: () => void) => void): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const drop = (): void => {
        if (!this.#waiting.delete(job)) return;
        job.share.close();
        reject(new RequestError(503, TOO_BUSY));
      };
      const job: Job = { request, resolve, share: this.#options.budget.open(drop) };
      this.#waiting.add(job);
      job.share.add(request.body.length);
      onClose(drop);
      if (this.#current === undefined) this.#next();
    });
  }

  /** Drops the waiting bodies and ends the thread, also during a translation, whose client receives no response. */
  async close(): Promise<void> {
    for (const { share } of this.#waiting) share.evict();
    await this.#stop();
  }

  #next(): void {
    clearTimeout(this.#idle);
    const [job] = this.#waiting;
    this.#current = job;
    if (job === undefined) {
      this.#idle = setTimeout(() => void this.#stop(), THREAD_IDLE_TIMEOUT).unref();
      return;
    }
    this.#waiting.delete(job);
    job.share.close();
    // The others are closer to their turn.
    for (const { share } of this.#waiting) this.#options.budget.touch(share);
    try {
      this.#worker ??= this.#start();
      this.#worker.postMessage(job.request, buffersOf(job.request.body));
    } catch {
      // The system allows no further thread.
      setImmediate(() => this.#finish(INTERNAL_ERROR));
    }
  }

  #finish(reply: Reply): void {
    this.#current?.resolve(reply);
    this.#next();
  }

  #start(): Worker {
    const { module, bounds, maxBody } = this.#options;
    const memory = Math.max(THREAD_MIN_MEMORY, maxBody * THREAD_MEMORY_PER_BYTE);
    const worker = new Worker(module, {
      workerData: bounds,
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memory / 1024 / 1024) },
    });
    let failure = INTERNAL_ERROR;
    worker.on('message', (reply: Reply) => this.#finish(reply));
    worker.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ERR_WORKER_OUT_OF_MEMORY') failure = TOO_MUCH_MEMORY;
    });
    worker.on('exit', () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      if (this.#current !== undefined) this.#finish(failure);
    });
    return worker;
  }

  async #stop(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

/** In the thread: translates the bodies that a port receives. */
export function serveThread(port: MessagePort, translations: readonly Translation[], bounds: Bounds): void {
  const replyTo = async (request: TranslationRequest): Promise<Reply> => {
    const translation = translations.find(({ path }) => path === request.path)!;
    return attempt(async () => translation.translate(request, bounds), translation.errorReply);
  };
  port.on('message', (request: TranslationRequest) => {
    void replyTo(request)
      .catch(() => INTERNAL_ERROR)
      .then((reply) => port.postMessage(reply, buffersOf(reply.body)));
  });
}

/** The memory of a body that passes to the other thread. Node's small buffers share memory, and are copied. */
function buffersOf(body: string | Body = ''): Transferable[] {
  if (typeof body === 'string') return [];
  const buffers = (body instanceof Uint8Array ? [body] : body).map(({ buffer }) => buffer as ArrayBuffer);
  return [...new Set(buffers)].filter(({ byteLength }) => byteLength > Buffer.poolSize);
}
