// Runs as a separate process with a network and an address: starts a StatsD sink and its flushes, then must exit by itself, since
// neither keeps the process alive.

import { once } from 'node:events';
import { LeveledLoggers, type PushSink } from '../../core/contract/index.js';
import { MetricStore, PushRunner } from '../../core/metrics/index.js';
import statsd from '../../plugins/metrics/statsd/index.js';
import { statsdOptions } from './statsd-sink.js';

const [network = '', address = ''] = process.argv.slice(2);
const store = new MetricStore(1000);
const log = new LeveledLoggers({ write: () => undefined }).logger('plugins.statsd');
const options = statsdOptions({ network: network as 'udp' | 'tcp', address, writeInterval: 20 });
const sink = statsd.create({ name: 'statsd', options, log, metrics: store, reader: store }) as PushSink;
await sink.start?.(new AbortController().signal);
new PushRunner(sink.push, store, log, () => undefined).start();
store.counter({ name: 'calls', help: 'Calls.' }).inc();
// Long enough for some flushes. The sink is not stopped.
setTimeout(() => console.log('done'), 300);
await once(process, 'beforeExit');
