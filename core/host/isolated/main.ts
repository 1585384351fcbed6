// The process of an isolated plugin. Its second thread ends it when the agent is gone or it uses too much memory, also while the plugin
// blocks the first one.

import { isMainThread, Worker, workerData } from 'node:worker_threads';
import type { Request } from './messages.js';

/** What the second thread needs. */
interface Limits {
  readonly parent: number;
  /** Most resident memory, in bytes. */
  readonly maxMemory: number;
}

/** Time between two checks of the limits, in milliseconds. */
const WATCH_INTERVAL = 250;
const MEBIBYTE = 2 ** 20;

if (isMainThread) serve();
else watch(workerData as Limits);

function serve(): void {
  // A terminal and systemd send signals to all processes of the agent. The agent ends this one, after the last calls.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit());
  const limits: Limits = { parent: process.ppid, maxMemory: Number(process.argv[2]) * MEBIBYTE };
  new Worker(new URL(import.meta.url), {
    workerData: limits,
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
  }).unref();
  const served = import('./served-plugin.js').then(
    ({ ServedPlugin }) => new ServedPlugin((reply) => void process.send?.(reply)),
  );
  process.on('message', (request) => void served.then((plugin) => plugin.receive(request as Request)));
  for (const event of ['uncaughtException', 'unhandledRejection'])
    process.on(event, (thrown: unknown) => void served.then((plugin) => plugin.reportUncaught(thrown)));
}

function watch({ parent, maxMemory }: Limits): void {
  setInterval(() => {
    if (process.ppid !== parent || process.memoryUsage.rss() > maxMemory)
      process.kill(process.pid, 'SIGKILL');
  }, WATCH_INTERVAL);
}
