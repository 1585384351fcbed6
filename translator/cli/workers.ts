// The service as several processes, for several cores: a primary process starts workers, which accept the connections of one port.

import cluster, { type Worker } from 'node:cluster';
import { SHUTDOWN_TIMEOUT } from '../http/index.js';

/** A worker that ends earlier is restarted only after {@link RESTART_DELAY}. In milliseconds. */
const SHORT_LIFE = 10_000;
/** In milliseconds. */
const RESTART_DELAY = 1000;
/** Longer than the shutdown of a worker. In milliseconds. */
const STOP_TIMEOUT = SHUTDOWN_TIMEOUT + 5000;

/** The number of workers of the service. */
export interface WorkerCount {
  readonly running: number;
  readonly configured: number;
}

/** A message from the primary process to its workers. */
type Message = { readonly kind: 'count'; readonly count: WorkerCount } | { readonly kind: 'stop' };

/** Options of the primary process. */
interface PrimaryOptions {
  readonly workers: number;
  /** Resolves when the service must stop. */
  readonly stopRequested: Promise<void>;
  /** The first worker accepts connections. */
  readonly onListening: (address: string, port: number) => void;
  /** A worker has ended; another one is started. */
  readonly onEnded: (reason: string) => void;
}

/**
 * Runs the workers until the service stops. Each one runs the command line of this process.
 *
 * @returns the exit status of the service; if the first worker ends before it accepts connections, its status, after it has printed why, and
 *   never 0 unless the service must stop
 */
export async function runWorkers({
  workers,
  stopRequested,
  onListening,
  onEnded,
}: PrimaryOptions): Promise<number> {
  const first = fork();
  let isStopRequested = false;
  const status = await new Promise<number | undefined>((resolve) => {
    first.once('listening', ({ address, port }) => {
      onListening(address, port);
      resolve(undefined);
    });
    // The status is null after a signal.
    first.once('exit', (ended: number | null) => resolve(isStopRequested ? (ended ?? 0) : ended || 1));
    const stopFirst = (): void => {
      isStopRequested = true;
      stop(first);
    };
    void stopRequested.then(stopFirst);
  });
  if (status !== undefined) return status;
  const pool = new Pool(first, workers, onEnded);
  await stopRequested;
  await pool.stop();
  return 0;
}

/** Starts a worker. A message to a worker that has just ended is a connection error, which would end this process without a listener. */
function fork(): Worker {
  const worker = cluster.fork();
  worker.on('error', () => undefined);
  return worker;
}

/** The workers. A worker that ends is replaced. */
class Pool {
  readonly #configured: number;
  readonly #onEnded: (reason: string) => void;
  readonly #workers = new Set<Worker>();
  /** The workers that accept connections. */
  readonly #running = new Set<Worker>();
  #isStopping = false;

  /** @param first a worker that already accepts connections */
  constructor(first: Worker, configured: number, onEnded: (reason: string) => void) {
    this.#configured = configured;
    this.#onEnded = onEnded;
    this.#add(first);
    this.#onListening(first);
    for (let index = 1; index < configured; index += 1) this.#add(fork());
  }

  /** Stops the workers, which first finish their requests. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([...this.#workers].map((worker) => stopped(worker)));
  }

  #add(worker: Worker): void {
    const start = performance.now();
    this.#workers.add(worker);
    worker.once('listening', () => this.#onListening(worker));
    worker.once('exit', (status, signal) => {
      this.#workers.delete(worker);
      this.#running.delete(worker);
      if (this.#isStopping) return;
      this.#tellCount();
      this.#onEnded(signal === null ? `exit status ${status}` : signal);
      const delay = performance.now() - start < SHORT_LIFE ? RESTART_DELAY : 0;
      setTimeout(() => {
        if (!this.#isStopping) this.#add(fork());
      }, delay);
    });
  }

  #onListening(worker: Worker): void {
    this.#running.add(worker);
    // It was starting when the others were stopped.
    if (this.#isStopping) stop(worker);
    this.#tellCount();
  }

  #tellCount(): void {
    const count = { running: this.#running.size, configured: this.#configured };
    for (const worker of this.#running) tell(worker, { kind: 'count', count });
  }
}

/** Stops a worker, and kills it after a timeout. */
const stopped = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(() => worker.process.kill('SIGKILL'), STOP_TIMEOUT);
    worker.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
    stop(worker);
  });

/**
 * Stops a worker. On the message, it finishes its requests and closes idle connections. A listening worker is also disconnected: after the
 * last one, this process stops listening, before the workers do. If workers stopped first, Node would keep the connections that they no
 * longer accept, without a response, until this process ends. Disconnecting a worker twice would be an error in the worker.
 */
function stop(worker: Worker): void {
  if (worker.exitedAfterDisconnect) return;
  tell(worker, { kind: 'stop' });
  if (isListening(worker) && worker.isConnected()) worker.disconnect();
}

/** Node has this state, but no type for it. */
const isListening = (worker: Worker): boolean =>
  (worker as Worker & { readonly state?: string }).state === 'listening';

function tell(worker: Worker, message: Message): void {
  // A worker that has just ended has no connection.
  if (worker.isConnected()) worker.send(message, () => undefined);
}

/** The role of a worker. */
interface WorkerRole {
  /** Whether it is the first worker, which prints the notes of the service. */
  readonly isFirst: boolean;
  readonly count: () => WorkerCount | undefined;
  /** Resolves on a message of the primary process, or when that process has ended. */
  readonly stopRequested: Promise<void>;
}

/** The role of this process; undefined if it is not a worker. */
export function workerRole(): WorkerRole | undefined {
  const { worker } = cluster;
  if (worker === undefined) return undefined;
  let count: WorkerCount | undefined;
  const stopRequested = new Promise<void>((resolve) => {
    worker.on('message', (message: Message) => {
      if (message.kind === 'stop') resolve();
      else count = message.count;
    });
    worker.once('disconnect', resolve);
    // Without a listener, an error of the connection to an ended primary process would end the current requests.
    worker.on('error', () => resolve());
    if (!worker.isConnected()) resolve();
  });
  return { isFirst: worker.id === 1, count: () => count, stopRequested };
}
