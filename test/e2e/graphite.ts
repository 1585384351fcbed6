// A real StatsD daemon whose Graphite backend sends into a real carbon-cache, both configured by the blocks of the README of the
// statsd plugin; and what they made of the metrics, read from the files of Graphite.

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
/** The program of the daemon. */
export const STATSD = createRequire(import.meta.url).resolve('statsd/stats.js');

/** One point of a series in Graphite: its time in seconds since the epoch, and its value. */
export type Point = readonly [time: number, value: number];

/** A StatsD daemon and the Graphite behind it. */
export interface Graphite {
  /** Where the daemon listens, over udp and over tcp. */
  readonly port: number;
  /** Starts the daemon, at first and again after it was stopped. */
  startStatsd(): Promise<Daemon>;
  /** What the daemon answers to a command of its management interface. */
  ask(command: string): Promise<string>;
  /** The points that a series has, by its name with its tags, oldest first; none for one that does not exist. */
  points(series: string): Promise<readonly Point[]>;
  /** The folder of the series. */
  readonly storage: string;
}

/** A configuration of the README with other values in it; each old text must be there. */
export function configuration(file: string, changes: Readonly<Record<string, string>>): string {
  let text = fileBlock(README, file);
  for (const [before, after] of Object.entries(changes)) {
    if (!text.includes(before)) throw new Error(`${file} in the README does not say ${before}`);
    text = text.replaceAll(before, after);
  }
  return text;
}

/** Starts carbon-cache with a point for each second, and a StatsD daemon that flushes each second. */
export async function startGraphite(t: ExecutionContext): Promise<Graphite> {
  const [port, management, receiver, query] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ];
  const folder = temporaryFolder(t);
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const log = join(folder, 'log');
  mkdirSync(log);
  file('storage-aggregation.conf', configuration('storage-aggregation.conf', {}));
  file('storage-schemas.conf', configuration('storage-schemas.conf', { '10s:6h,1m:7d,10m:1y': '1s:1h' }));
  const carbon = file(
    'carbon.conf',
    configuration('carbon.conf', {
      '/var/lib/graphite': folder,
      '/var/log/carbon': log,
      '/etc/carbon': folder,
      '/var/run': folder,
      '= 2003': `= ${receiver}`,
      '= 7002': `= ${query}`,
    }),
  );
  const own = ['--nodaemon', `--config=${carbon}`, `--logdir=${log}`, `--pidfile=${join(folder, 'pid')}`];
  await startDaemon(t, 'carbon-cache', [...own, 'start'], () => talk(receiver, ''));

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
  const ask = (command: string): Promise<string> => talk(management, `${command}\n`);
  const storage = join(folder, 'whisper');
  return {
    port,
    storage,
    ask,
    startStatsd: () =>
      startDaemon(t, process.execPath, ['--require', shim, STATSD, statsd], async () => {
        await ask('stats');
        await talk(port, '');
      }),
    points: (series) => readPoints(join(storage, fileOf(series))),
  };
}

/** Where carbon keeps a series: under the parts of its name or, when it has tags, under a hash of it. */
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
