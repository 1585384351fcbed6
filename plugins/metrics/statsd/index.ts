import { createYielder, defineMetricSink, reasonOf, type MetricBatch } from '../../../core/contract/index.js';
import { LineWriter } from './lines.js';
import { createSinkMetrics } from './metrics.js';
import { Packer } from './packets.js';
import { TcpTransport } from './tcp.js';
import type { Transport } from './transport.js';
import { UdpTransport } from './udp.js';

/** How many samples are written between two looks at the clock. */
const SAMPLES_PER_LOOK = 64;
/** Shortest time between two pushes, in milliseconds. */
const MIN_INTERVAL = 10;

/** The most that a datagram can hold over IPv4, in bytes. */
const LARGEST_DATAGRAM = 65_507;

/** Pushes the metrics of the agent to a StatsD daemon. */
export default defineMetricSink({
  name: 'statsd',
  options: {
    network: { format: ['udp', 'tcp'], default: 'udp', doc: 'how to reach the daemon' },
    address: { format: 'host-port', doc: 'host:port of the daemon' },
    writeInterval: { format: 'duration', default: '10s', doc: 'time between two pushes, at least 10ms' },
    prefix: {
      format: checkPrefix,
      default: '',
      doc: 'put before every bucket name; a dot is added where it has none',
    },
    maxDatagram: {
      format: checkDatagram,
      default: 1432,
      doc: 'size of the largest datagram over udp, in bytes',
    },
    timingUnit: {
      format: ['milliseconds', 'seconds'],
      default: 'milliseconds',
      doc: 'unit of timings on the wire; seconds is what Fabric nodes send',
    },
    tags: {
      format: ['none', 'dogstatsd', 'influx', 'graphite'],
      default: 'none',
      doc: 'how labels are told; none puts their values into the bucket name, as Fabric nodes do',
    },
    maxQueuedBytes: {
      format: checkSize,
      default: 8_388_608,
      doc: 'how much is kept over tcp while it cannot be written, in bytes',
    },
    maxTimings: {
      format: checkSize,
      default: 100_000,
      doc: 'how many observations are kept between two pushes',
    },
  },
  create({ name, options, log, metrics }) {
    if (options.writeInterval < MIN_INTERVAL)
      throw new Error(`options.writeInterval: must be at least 10ms: value was ${options.writeInterval}ms`);
    const daemon = options.address;
    const address = `${daemon.host.includes(':') ? `[${daemon.host}]` : daemon.host}:${daemon.port}`;
    if (daemon.port === 0) throw new Error(`options.address: the port must not be 0: value was "${address}"`);
    const own = createSinkMetrics(metrics, name);
    const writer = new LineWriter(options);
    let problem: string | undefined;
    const listener = {
      sent: (bytes: number) => own.bytes.inc(bytes),
      reconnected: () => own.reconnects.inc(),
      dropped: (samples: number) => own.dropped('queue', samples),
      reachable: (now: string | undefined) => {
        // The host warns once flushes fail; a connection that is made again in between is for the curious.
        if (now !== undefined && problem === undefined)
          log.debug(`StatsD at ${options.network} ${address} cannot be reached: ${now}`);
        if (now === undefined && problem !== undefined)
          log.debug(`StatsD at ${options.network} ${address} is reached again`);
        problem = now;
      },
    };
    let transport: Transport | undefined;

    return {
      start() {
        transport =
          options.network === 'udp'
            ? new UdpTransport(daemon, options.maxDatagram, listener)
            : new TcpTransport(daemon, options.maxQueuedBytes, listener);
        transport.start();
      },

      async stop() {
        await transport?.stop();
        transport = undefined;
      },

      push: {
        interval: options.writeInterval,
        maxTimings: options.maxTimings,
        async flush(batch, signal) {
          if (transport === undefined) throw new Error('the sink is not started');
          const start = performance.now();
          try {
            await transport.begin();
            await sendBatch(batch, transport, writer, own.dropped, signal);
            await transport.end();
            own.dropped('timings', batch.droppedTimings);
            own.flushes('succeeded');
          } catch (error) {
            own.flushes('failed');
            throw new Error(`${options.network} ${address}: ${reasonOf(error)}`, { cause: error });
          } finally {
            own.duration.observe((performance.now() - start) / 1000);
          }
        },
      },
    };
  },
});

/** Counters first, then gauges, then timings, as Fabric nodes do; other work gets its turn in between. */
async function sendBatch(
  { counters, gauges, timings }: MetricBatch,
  transport: Transport,
  writer: LineWriter,
  dropped: (reason: 'value' | 'length', samples: number) => void,
  signal: AbortSignal,
): Promise<void> {
  const pause = createYielder(SAMPLES_PER_LOOK);
  const groups = [
    {
      samples: counters,
      write: (sample: MetricBatch['counters'][number]) => writer.counter(sample),
      isTiming: false,
    },
    {
      samples: gauges,
      write: (sample: MetricBatch['gauges'][number]) => writer.gauge(sample),
      isTiming: false,
    },
    {
      samples: timings,
      write: (sample: MetricBatch['timings'][number]) => writer.timing(sample),
      isTiming: true,
    },
  ];
  for (const { samples, write, isTiming } of groups) {
    const packer = new Packer(transport.maxPacket, isTiming);
    for (const sample of samples) {
      const lines = write(sample);
      if (lines === undefined) dropped('value', 1);
      else if (!packer.fits(lines)) dropped('length', 1);
      else {
        const packet = packer.add(lines);
        if (packet !== undefined) await transport.send(packet);
      }
      const others = pause();
      if (others !== undefined) await others;
      signal.throwIfAborted();
    }
    const rest = packer.take();
    if (rest !== undefined) await transport.send(rest);
  }
}

function checkPrefix(value: unknown): void {
  if (typeof value !== 'string' || /[|:\s\p{Cc}]/u.test(value))
    throw new Error('must be text without blanks, colons or bars');
}

function checkSize(value: unknown): void {
  if (!Number.isSafeInteger(value) || (value as number) < 1)
    throw new Error('must be a whole number of 1 or more');
}

function checkDatagram(value: unknown): void {
  checkSize(value);
  if ((value as number) > LARGEST_DATAGRAM) throw new Error(`must not be more than ${LARGEST_DATAGRAM}`);
}
