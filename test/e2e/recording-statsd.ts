// A StatsD daemon that appends each packet to a file when it reads it, so that no packet is lost when the daemon is killed.

import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { freePort } from '../helpers/free-port.js';
import { startDaemon, talk, type Daemon } from './daemon.js';
import { configuration, STATSD } from './graphite.js';

/** The StatsD backend that writes the file. */
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

/** What daemons received. */
export interface Recording {
  /** The sum of each counter, by bucket. */
  readonly counters: ReadonlyMap<string, number>;
  /** Returns the values of a gauge or timer, oldest first. */
  readonly values: (bucket: string, type: 'g' | 'ms') => readonly number[];
  /** The number of lines for each `bucket|type`. */
  readonly lines: ReadonlyMap<string, number>;
}

/** A daemon that can be restarted. */
export interface RecordingStatsd {
  readonly port: number;
  /** Starts it with a new file. */
  readonly start: () => Promise<Daemon>;
  /** Returns how many bytes it received since its last start. */
  readonly size: () => number;
  /** Returns what it received since its last start. */
  readonly recorded: () => Recording;
  /** Returns what it received since its first start. */
  readonly recordedByAll: () => Recording;
}

/**
 * Prepares a daemon that listens on UDP and TCP.
 *
 * @param options.host an address of this machine
 * @param options.port a free port by default
 * @param options.rest pause after each packet, in milliseconds
 */
export async function prepareStatsd(
  t: ExecutionContext,
  options: { host?: string; port?: number; rest?: number } = {},
): Promise<RecordingStatsd> {
  const { host = '127.0.0.1', port = await freePort(), rest = 0 } = options;
  const management = await freePort();
  const directory = temporaryFolder(t, {
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
    backends: [join(directory, 'record.js')],
    rest,
  };
  return {
    port,
    start() {
      const packets = join(directory, `packets-${files.length}`);
      files.push(packets);
      writeFileSync(join(directory, 'statsd.js'), JSON.stringify({ ...settings, packets }));
      const args = ['--require', join(directory, 'util-log.cjs'), STATSD, join(directory, 'statsd.js')];
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

/** Reads recorded files. An incomplete last line, as a killed daemon leaves it, is ignored. */
function read(files: readonly string[]): Recording {
  const texts = files.map((file) => (existsSync(file) ? readFileSync(file, 'utf8') : ''));
  const lines = texts.flatMap((text) => text.slice(0, text.lastIndexOf('\n') + 1).split('\n'));
  const counters = new Map<string, number>();
  const values = new Map<string, number[]>();
  const counts = new Map<string, number>();
  for (const line of lines) {
    const [, bucket = '', value = '', type = ''] = /^([^:]+):([^|]+)\|(\w+)/.exec(line) ?? [];
    if (bucket === '') continue;
    counts.set(`${bucket}|${type}`, (counts.get(`${bucket}|${type}`) ?? 0) + 1);
    if (type === 'c') {
      counters.set(bucket, (counters.get(bucket) ?? 0) + Number(value));
      continue;
    }
    const previous = values.get(`${bucket}|${type}`);
    if (previous === undefined) values.set(`${bucket}|${type}`, [Number(value)]);
    else previous.push(Number(value));
  }
  return {
    counters,
    values: (bucket, type) => values.get(`${bucket}|${type}`) ?? [],
    lines: counts,
  };
}
