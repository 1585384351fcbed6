// A real StatsD daemon with a real carbon-cache behind it, both with the configuration files of the README of the statsd plugin. The
// metrics are read from the files of Graphite.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { fileBlock } from '../helpers/markdown.js';
import { freePort } from '../helpers/free-port.js';
import { startDaemon, talk, type Daemon } from './daemon.js';
import { findProgram } from './provision.js';

const README = readFileSync(new URL('../../../plugins/metrics/statsd/README.md', import.meta.url), 'utf8');
/** The path of the StatsD daemon. */
export const STATSD = createRequire(import.meta.url).resolve('statsd/stats.js');

/** A data point of a series in Graphite; the time is in seconds since the epoch. */
export type Point = readonly [time: number, value: number];

/** A StatsD daemon with Graphite. */
export interface Graphite {
  /** The port of the daemon, for udp and tcp. */
  readonly port: number;
  /** Starts the daemon, also after it was stopped. */
  startStatsd(): Promise<Daemon>;
  /** Returns the response to a command of the management interface of the daemon. */
  command(command: string): Promise<string>;
  /** Returns the points of a series, oldest first; `series` is its name with its tags. Empty for an unknown series. */
  points(series: string): Promise<readonly Point[]>;
  /** The directory of the series. */
  readonly storage: string;
}

/** Returns a configuration file of the README with some texts replaced; each of them must occur in it. */
export function configuration(file: string, changes: Readonly<Record<string, string>>): string {
  let text = fileBlock(README, file);
  for (const [before, after] of Object.entries(changes)) {
    if (!text.includes(before)) throw new Error(`${file} in the README does not contain ${before}`);
    text = text.replaceAll(before, after);
  }
  return text;
}

/** A carbon-cache with a resolution of one second. */
export interface Carbon extends Pick<Graphite, 'points' | 'storage'> {
  /** The port of the plaintext protocol. */
  readonly receiver: number;
  /** Its directory, which also has its configuration. */
  readonly directory: string;
  /** Starts it, also after it was stopped. */
  readonly start: () => Promise<Daemon>;
}

/**
 * Prepares a carbon-cache with the configuration of the README.
 *
 * @param pattern which names are stored
 */
export async function prepareCarbon(t: ExecutionContext, pattern = '^stats\\.'): Promise<Carbon> {
  const [receiver, query] = [await freePort(), await freePort()];
  const directory = temporaryFolder(t);
  const file = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  const log = join(directory, 'log');
  mkdirSync(log);
  file('storage-aggregation.conf', configuration('storage-aggregation.conf', {}));
  file(
    'storage-schemas.conf',
    configuration('storage-schemas.conf', { '10s:6h,1m:7d,10m:1y': '1s:1h', '^stats\\.': pattern }),
  );
  const carbon = file(
    'carbon.conf',
    configuration('carbon.conf', {
      '/var/lib/graphite': directory,
      '/var/log/carbon': log,
      '/etc/carbon': directory,
      '/var/run': directory,
      '= 2003': `= ${receiver}`,
      '= 7002': `= ${query}`,
    }),
  );
  const own = ['--nodaemon', `--config=${carbon}`, `--logdir=${log}`, `--pidfile=${join(directory, 'pid')}`];
  const storage = join(directory, 'whisper');
  return {
    receiver,
    directory,
    storage,
    start: () => startDaemon(t, 'carbon-cache', [...own, 'start'], () => talk(receiver, '')),
    points: (series) => readPoints(join(storage, fileOf(series))),
  };
}

/** Starts carbon-cache with a resolution of one second; the StatsD daemon flushes every second. */
export async function startGraphite(t: ExecutionContext): Promise<Graphite> {
  const [port, management] = [await freePort(), await freePort()];
  const carbon = await prepareCarbon(t);
  const { directory, receiver, storage, points } = carbon;
  await carbon.start();
  const file = (name: string, text: string): string => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  const statsd = file(
    'statsd.js',
    configuration('statsd.js', {
      8125: String(port),
      8126: String(management),
      2003: String(receiver),
      'flushInterval: 10000': 'flushInterval: 1000',
    }),
  );
  const shim = file('util-log.cjs', configuration('util-log.cjs', {}));
  const command = (text: string): Promise<string> => talk(management, `${text}\n`);
  return {
    port,
    storage,
    command,
    startStatsd: () =>
      startDaemon(t, process.execPath, ['--require', shim, STATSD, statsd], async () => {
        await command('stats');
        await talk(port, '');
      }),
    points,
  };
}

/** The file of a series: a path of its name parts or, when it has tags, of its hash. */
function fileOf(series: string): string {
  if (!series.includes(';')) return `${series.replaceAll('.', '/')}.wsp`;
  const hash = createHash('sha256').update(series).digest('hex');
  return join('_tagged', hash.slice(0, 3), hash.slice(3, 6), `${hash}.wsp`);
}

async function readPoints(file: string): Promise<readonly Point[]> {
  if (!existsSync(file)) return [];
  const { stdout } = await promisify(execFile)(findProgram('whisper-fetch') ?? '', ['--drop=nulls', file]);
  return stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t').map(Number) as unknown as Point);
}
