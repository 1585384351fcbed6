// Runs a real VictoriaMetrics that receives lines of Graphite, and reads what it stored.

import type { ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { freePort } from '../helpers/free-port.js';
import { startDaemon, talk, type Daemon } from './daemon.js';
import type { Point } from './graphite.js';

/** A stored series: its labels, the name as `__name__`, and its points, oldest first. */
export interface StoredSeries {
  readonly labels: Readonly<Record<string, string>>;
  readonly points: readonly Point[];
}

/** A VictoriaMetrics that keeps its data over a restart. */
export interface VictoriaMetrics {
  /** The port of the plaintext protocol of Graphite. */
  readonly port: number;
  /** Starts it, also after it was stopped. */
  readonly start: () => Promise<Daemon>;
  /** The series that a selector matches. */
  readonly series: (match: string) => Promise<readonly StoredSeries[]>;
}

/**
 * Prepares a VictoriaMetrics with a directory and ports of its own.
 *
 * @param connections how many connections it reads from; version 1.79 accepts others but reads nothing from them
 */
export async function prepareVictoriaMetrics(t: ExecutionContext, connections = 8): Promise<VictoriaMetrics> {
  const [port, http] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${http}`;
  const args = [
    `-graphiteListenAddr=127.0.0.1:${port}`,
    `-httpListenAddr=127.0.0.1:${http}`,
    `-storageDataPath=${temporaryFolder(t)}`,
    '-dedup.minScrapeInterval=1ms',
    `-maxConcurrentInserts=${connections}`,
  ];
  return {
    port,
    start: () =>
      startDaemon(t, 'victoria-metrics', args, async () => {
        await fetch(`${url}/health`);
        await talk(port, '');
      }),
    async series(match) {
      const response = await fetch(`${url}/api/v1/export?match=${encodeURIComponent(match)}`);
      const lines = (await response.text()).split('\n').filter((line) => line !== '');
      return lines.map((line) => {
        const { metric, values, timestamps } = JSON.parse(line) as {
          metric: Record<string, string>;
          values: number[];
          timestamps: number[];
        };
        const points = timestamps.map((time, index) => [time / 1000, values[index] ?? NaN] as const);
        return { labels: metric, points };
      });
    },
  };
}
