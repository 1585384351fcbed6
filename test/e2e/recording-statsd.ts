// A real StatsD daemon that writes each packet it reads into a file before it looks at it: being killed costs nothing of that.

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { freePort } from '../helpers/free-port.js';
import { startDaemon, talk, type Daemon } from './daemon.js';
import { configuration, STATSD } from './graphite.js';

/** The backend that writes the file. */
const RECORDER = `const { appendFileSync } = require('node:fs');
const clock = new Int32Array(new SharedArrayBuffer(4));
exports.init = (started, config, events) => {
  events.on('packet', (packet) => {
    appendFileSync(config.packets, packet);
    Atomics.wait(clock, 0, 0, config.rest);
  });
  return true;
};
`;

/** What daemons were told. */
export interface Recording {
  /** What each counter adds up to, by its bucket. */
  readonly counters: ReadonlyMap<string, number>;
  /** The values of a gauge or of timings, oldest first. */
  readonly values: (bucket: string, type: 'g' | 'ms') => readonly number[];
}

/** A daemon that can be started again and again. */
export interface RecordingStatsd {
  readonly port: number;
  /** Starts it, each time with a file of its own. */
  readonly start: () => Promise<Daemon>;
  /** How many bytes it was told since its last start. */
  readonly size: () => number;
  /** What it was told since its last start. */
  readonly recorded: () => Recording;
  /** What was told to all that were started. */
  readonly recordedByAll: () => Recording;
}

/**
 * Prepares a daemon that listens over udp and tcp.
 *
 * @param options.host an address of this machine
 * @param options.port one that is free by default
 * @param options.rest how long it does nothing after each packet, in milliseconds
 */
export async function prepareStatsd(
  t: ExecutionContext,
  options: { host?: string; port?: number; rest?: number } = {},
): Promise<RecordingStatsd> {
  const { host = '127.0.0.1', port = await freePort(), rest = 0 } = options;
  const management = await freePort();
  const folder = temporaryFolder(t, {
    'record.js': RECORDER,
    'util-log.cjs': configuration('util-log.cjs', {}),
  });
  const files: string[] = [];
  const listener = { address: host, port, address_ipv6: host.includes(':') };
  const settings = {
    servers: [
      { server: './servers/udp', ...listener },
      { server: './servers/tcp', ...listener },
    ],
    mgmt_address: '127.0.0.1',
    mgmt_port: management,
    backends: [join(folder, 'record.js')],
    rest,
  };
  return {
    port,
    start() {
      const packets = join(folder, `packets-${files.length}`);
      files.push(packets);
      writeFileSync(join(folder, 'statsd.js'), JSON.stringify({ ...settings, packets }));
      const args = ['--require', join(folder, 'util-log.cjs'), STATSD, join(folder, 'statsd.js')];
      return startDaemon(t, process.execPath, args, async () => {
        await talk(management, 'stats\n');
        await talk(port, '', host);
      });
    },
    size: () => statSync(files.at(-1) ?? '', { throwIfNoEntry: false })?.size ?? 0,
    recorded: () => read(files.slice(-1)),
    recordedByAll: () => read(files),
  };
}

/** A line that a killed daemon did not write to its end does not count. */
function read(files: readonly string[]): Recording {
  const texts = files.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : ''));
  const lines = texts.flatMap((text) => text.slice(0, text.lastIndexOf('\n') + 1).split('\n'));
  const counters = new Map<string, number>();
  const others = new Map<string, number[]>();
  for (const line of lines) {
    const [, bucket = '', value = '', type = ''] = /^([^:]+):([^|]+)\|(\w+)/.exec(line) ?? [];
    if (type === 'c') {
      counters.set(bucket, (counters.get(bucket) ?? 0) + Number(value));
      continue;
    }
    const known = others.get(`${bucket}|${type}`);
    if (known === undefined) others.set(`${bucket}|${type}`, [Number(value)]);
    else known.push(Number(value));
  }
  return {
    counters,
    values: (bucket, type) => others.get(`${bucket}|${type}`) ?? [],
  };
}
