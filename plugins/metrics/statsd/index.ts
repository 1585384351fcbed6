import { defineMetricSink, type Logger, reasonOf } from '../../../core/contract/index.js';
import type { ForAgent } from '../../../core/contract/internal/index.js';
import { formatHostPort } from '../../../core/kit/index.js';
import type { Transport } from '../../../core/kit/internal/index.js';
import {
  checkDaemonAddress,
  checkInterval,
  checkPrefix,
  checkSize,
  TcpTransport,
  type TransportListener,
  warnOfPrefix,
} from '../../../core/kit/metrics.js';
import { SampleClient } from './client.js';
import { createSinkMetrics, type SinkMetrics } from './metrics.js';
import { sendBatch } from './send-batch.js';
import { UdpTransport } from './udp.js';

/** The largest payload of a datagram over IPv4, in bytes. */
const LARGEST_DATAGRAM = 65_507;

const OPTIONS = {
  network: { format: ['udp', 'tcp'], default: 'udp', doc: 'transport protocol' },
  address: { format: 'host-port', doc: 'host:port of the daemon' },
  writeInterval: { format: 'duration', default: '10s', doc: 'time between two pushes, at least 10ms' },
  prefix: {
    format: checkPrefix,
    default: '',
    doc: 'prefix of every bucket name; a dot is added unless it ends with one',
    warn: warnOfPrefix,
  },
  maxDatagram: {
    format: checkDatagram,
    default: 1432,
    doc: 'largest datagram over udp, in bytes',
  },
  timingUnit: {
    format: ['milliseconds', 'seconds'],
    default: 'milliseconds',
    doc: 'unit of timings on the wire; Fabric nodes send seconds',
  },
  tags: {
    format: ['none', 'dogstatsd', 'influx', 'graphite'],
    default: 'none',
    doc: 'label encoding; none appends label values to the bucket name, as Fabric nodes do',
  },
  nodePrefix: {
    format: ['escaped', 'dotted'],
    default: 'escaped',
    doc: 'form of the node name if there are several nodes: escaped is one part of the name, or with tags the tag node; dotted is a prefix with its dots',
  },
  maxQueuedBytes: {
    format: checkSize,
    default: 8_388_608,
    doc: 'limit of the queue over tcp, in bytes',
  },
  unacknowledged: {
    format: ['drop', 'resend'],
    default: 'drop',
    doc: 'counters and timings written over tcp in the last second before the connection is lost: drop may lose them, resend may count them twice',
  },
  maxTimings: {
    format: checkSize,
    default: 100_000,
    doc: 'limit of observations kept between two pushes, and of timings per push for relayed histograms',
  },
  histograms: {
    format: ['timings', 'totals'],
    default: 'timings',
    doc: 'relayed histograms: one timing per observation, or counters of their count and sum',
  },
} as const;

/** The settings `metrics.statsd.…` of a node's file. */
const SETTINGS = ['network', 'address', 'writeInterval', 'prefix'];

/** The provider that pushes to a daemon. */
const forAgent: ForAgent = (agent) => {
  if (agent.get('metrics.provider').value !== 'statsd') return undefined;
  const options = SETTINGS.map((name) => [name, agent.get(`metrics.statsd.${name}`)] as const);
  return { key: 'metrics.provider', options: Object.fromEntries(options) };
};

/** Pushes the metrics of the agent to a StatsD daemon. */
export default defineMetricSink({
  name: 'statsd',
  forAgent,
  options: OPTIONS,
  create({ name, options, log, metrics }) {
    const { network, address, writeInterval, maxQueuedBytes: maxQueued, unacknowledged } = options;
    const target = `${network} ${formatHostPort(address)}`;
    checkInterval(writeInterval, 'options.writeInterval');
    checkDaemonAddress(address, 'options.address');
    const own = createSinkMetrics(metrics, name);
    const listener = createListener(target, own, log);
    const client = new SampleClient(options);
    let transport: Transport | undefined;

    return {
      start() {
        transport =
          options.network === 'udp'
            ? new UdpTransport(address, options.maxDatagram, listener)
            : new TcpTransport(address, { maxQueued, isQueuedOffline: false, unacknowledged }, listener);
        transport.start();
      },

      async stop() {
        await transport?.stop();
        transport = undefined;
      },

      push: {
        interval: writeInterval,
        maxTimings: options.maxTimings,
        async flush(batch, signal) {
          if (transport === undefined) throw new Error('the sink is not started');
          const start = performance.now();
          try {
            await transport.begin();
            const { histograms, maxTimings } = options;
            const destination = { transport, client, dropped: own.dropped, histograms, maxTimings };
            const excess = await sendBatch(batch, destination, signal);
            await transport.end();
            own.dropped('timings', batch.droppedTimings + excess);
            own.flushes('succeeded');
          } catch (error) {
            own.flushes('failed');
            throw new Error(`${target}: ${reasonOf(error)}`, { cause: error });
          } finally {
            own.duration.observe((performance.now() - start) / 1000);
          }
        },
      },
    };
  },
});

/**
 * Counts the events of a transport, and logs when the daemon becomes reachable or unreachable.
 *
 * @param target network and address of the daemon, for messages
 */
function createListener(target: string, own: SinkMetrics, log: Logger): TransportListener {
  let isReachable = true;
  return {
    sent: (bytes) => own.bytes.inc(bytes),
    reconnected: () => own.reconnects.inc(),
    dropped: (samples, reason) => own.dropped(reason, samples),
    reachable: (problem) => {
      // At debug level: the host logs a warning when a push fails, and a short interruption causes no failure.
      if (problem !== undefined && isReachable)
        log.debug(`StatsD daemon at ${target} is unreachable: ${problem}`);
      if (problem === undefined && !isReachable) log.debug(`StatsD daemon at ${target} is reachable again`);
      isReachable = problem === undefined;
    },
  };
}

function checkDatagram(value: unknown): void {
  checkSize(value);
  if ((value as number) > LARGEST_DATAGRAM) throw new Error(`must not be more than ${LARGEST_DATAGRAM}`);
}
