import { type Counter, defineMetricSink, type Logger, reasonOf } from '../../../core/contract/index.js';
import { formatHostPort } from '../../../core/kit/index.js';
import {
  checkDaemonAddress,
  checkInterval,
  checkPrefix,
  checkSize,
  createPushMetrics,
  createReconnects,
  LineSender,
  type PushMetrics,
  TcpTransport,
  type TransportListener,
  warnOfPrefix,
} from '../../../core/kit/metrics.js';
import { LineWriter } from './lines.js';
import { sendBatch } from './send-batch.js';

/** Why values were dropped: more than `maxQueuedBytes` were queued, a value is not finite, or a line is too long. */
type DropReason = 'queue' | 'value' | 'length';

const OPTIONS = {
  address: { format: 'host-port', doc: 'host:port of the plaintext listener' },
  writeInterval: { format: 'duration', default: '10s', doc: 'time between two pushes, at least 10ms' },
  prefix: {
    format: checkPrefix,
    default: '',
    doc: 'prefix of every name; a dot is added unless it ends with one',
    warn: warnOfPrefix,
  },
  tags: {
    format: ['none', 'graphite'],
    default: 'none',
    doc: 'label encoding; none appends label values to the name, as Fabric nodes do',
  },
  nodePrefix: {
    format: ['escaped', 'dotted'],
    default: 'escaped',
    doc: 'form of the node name if there are several nodes: escaped is one part of the name, or with tags the tag node; dotted is a prefix with its dots',
  },
  maxQueuedBytes: { format: checkSize, default: 8_388_608, doc: 'limit of the queue, in bytes' },
} as const;

/** Pushes the metrics of the agent to Graphite, or to another receiver of its plaintext protocol. */
export default defineMetricSink({
  name: 'graphite',
  options: OPTIONS,
  create({ name, options, log, metrics }) {
    const { address, writeInterval, maxQueuedBytes } = options;
    checkInterval(writeInterval, 'options.writeInterval');
    checkDaemonAddress(address, 'options.address');
    const target = `graphite ${formatHostPort(address)}`;
    const naming = { namespace: 'graphite', receiver: 'the Graphite receiver', sink: name };
    const own = createPushMetrics<DropReason>(metrics, naming);
    const writer = new LineWriter(options);
    let transport: TcpTransport | undefined;
    /** The bytes that were sent since the last call of `rejected`. */
    let sent = 0;
    const listener = createListener(target, own, createReconnects(metrics, naming), log, (bytes) => {
      sent += bytes;
    });

    return {
      start() {
        transport = new TcpTransport(address, { maxQueued: maxQueuedBytes, isQueuedOffline: true }, listener);
        transport.start();
      },

      async stop() {
        await transport?.stop();
        const lost = transport?.queuedBytes ?? 0;
        transport = undefined;
        if (lost > 0) log.warn(`${target}: ${lost} bytes were still queued and are lost`);
      },

      push: {
        interval: writeInterval,
        values: 'totals',
        async flush(batch, signal) {
          if (transport === undefined) throw new Error('the sink is not started');
          const start = performance.now();
          try {
            await transport.begin();
            await sendBatch(batch, writer, new LineSender(transport, own.dropped, signal));
            await transport.end();
            own.flushes(transport.queuedBytes > 0 ? 'queued' : 'succeeded');
          } catch (error) {
            own.flushes('failed');
            throw new Error(`${target}: ${reasonOf(error)}`, { cause: error });
          } finally {
            own.duration.observe((performance.now() - start) / 1000);
          }
        },
        rejected() {
          const isDelivered = sent > 0 || transport === undefined || transport.queuedBytes === 0;
          sent = 0;
          return isDelivered
            ? undefined
            : `${target}: values are queued: ${transport?.problem ?? 'the daemon does not read'}`;
        },
      },
    };
  },
});

/**
 * Counts the events of a transport, and logs when the receiver becomes reachable or unreachable.
 *
 * @param target address of the receiver, for messages
 */
function createListener(
  target: string,
  own: PushMetrics<DropReason>,
  reconnects: Counter,
  log: Logger,
  onSent: (bytes: number) => void,
): TransportListener {
  let isReachable = true;
  return {
    sent: (bytes) => {
      own.bytes.inc(bytes);
      onSent(bytes);
    },
    reconnected: () => reconnects.inc(),
    dropped: (samples) => own.dropped('queue', samples),
    reachable: (problem) => {
      // The host does not log this: values are queued, so the push does not fail.
      if (problem !== undefined && isReachable)
        log.warn(`${target} is unreachable, values are queued: ${problem}`);
      if (problem === undefined && !isReachable) log.info(`${target} is reachable again`);
      isReachable = problem === undefined;
    },
  };
}
