import { hostname } from 'node:os';
import { defineMetricSink, type Logger, type MetricBatch, reasonOf } from '../../../core/contract/index.js';
import { checkClientCertificate } from '../../../core/kit/index.js';
import { maskUrls } from '../../../core/kit/internal/index.js';
import { checkInterval, createPushMetrics, type PushMetrics } from '../../../core/kit/metrics.js';
import { OtlpClient, RefusedError } from './client.js';
import { encodeBatch, type Origin } from './encode.js';
import { fromEnvironment } from './environment.js';
import { OPTIONS } from './options.js';
import type { Accepted } from './outcome.js';

/** Why values were dropped: OTLP cannot represent them, or the receiver rejected them. */
type DropReason = 'value' | 'rejected';

/** The rejected values and the message in the responses to accepted requests. */
type Rejections = Omit<Accepted, 'isAccepted'>;

/** Pushes the metrics of the agent to an OpenTelemetry receiver, as OTLP/HTTP in JSON. */
export default defineMetricSink({
  name: 'otlp',
  options: OPTIONS,
  fromEnvironment,
  create({ name, options, log, metrics }) {
    checkInterval(options.writeInterval, 'options.writeInterval');
    const naming = { namespace: 'otlp', receiver: 'the OTLP receiver', sink: name };
    const own = createPushMetrics<DropReason>(metrics, naming);
    const retries = metrics
      .counter({
        namespace: 'otlp',
        name: 'retries_total',
        help: 'Repeated requests to the OTLP receiver.',
        labelNames: ['sink'],
      })
      .with({ sink: name });
    const client = new OtlpClient(options, log, {
      sent: (bytes) => own.bytes.inc(bytes),
      retried: () => retries.inc(),
    });
    const origin: Origin = {
      instance: options.instance === '' ? hostname() : options.instance,
      attributes: options.resource,
      startTime: Date.now(),
    };
    const pusher = new Pusher(client, origin, own, createRejectionLog(maskUrls(options.endpoint), log));

    return {
      init: () => checkClientCertificate(options),
      start: () => client.open(),
      stop: () => client.close(),

      push: {
        interval: options.writeInterval,
        values: 'totals',
        async flush(batch, signal) {
          const start = performance.now();
          try {
            await pusher.push(batch, signal);
            own.flushes('succeeded');
          } catch (error) {
            own.flushes('failed');
            throw new Error(`POST ${maskUrls(options.endpoint)}: ${reasonOf(error)}`, { cause: error });
          } finally {
            own.duration.observe((performance.now() - start) / 1000);
          }
        },
      },
    };
  },
});

/** Pushes batches. */
class Pusher {
  readonly #client: OtlpClient;
  readonly #origin: Origin;
  readonly #own: PushMetrics<DropReason>;
  readonly #log: (found: Rejections) => void;

  /** @param log logs the message in the response to an accepted request */
  constructor(
    client: OtlpClient,
    origin: Origin,
    own: PushMetrics<DropReason>,
    log: (found: Rejections) => void,
  ) {
    this.#client = client;
    this.#origin = origin;
    this.#own = own;
    this.#log = log;
  }

  /**
   * Sends a batch in one or several requests. If the content of one request is refused, the others are still sent.
   *
   * @throws Error when a request was not accepted
   */
  async push(batch: MetricBatch, signal: AbortSignal): Promise<void> {
    let refused: RefusedError | undefined;
    let rejected = 0;
    let message = '';
    const dropped = (samples: number): void => this.#own.dropped('value', samples);
    for await (const request of encodeBatch(batch, this.#origin, Date.now(), dropped)) {
      signal.throwIfAborted();
      try {
        const accepted = await this.#client.send(request, signal);
        rejected += accepted.rejected;
        message ||= accepted.message;
      } catch (error) {
        if (!(error instanceof RefusedError) || !error.isBadContent) throw error;
        refused ??= error;
        this.#own.dropped('rejected', request.points);
      }
    }
    this.#own.dropped('rejected', rejected);
    if (refused !== undefined) throw refused;
    this.#log({ rejected, message });
  }
}

/** Logs the message of a receiver about accepted requests once, until a response has no message. */
function createRejectionLog(endpoint: string, log: Logger): (found: Rejections) => void {
  let isLogged = false;
  return ({ rejected, message }) => {
    const isSilent = rejected === 0 && message === '';
    if (!isSilent && !isLogged) {
      const what = rejected === 0 ? 'all values were accepted' : `${rejected} values were rejected`;
      log.warn(`POST ${endpoint}: ${what}${message === '' ? '' : `: ${message}`}`);
    }
    isLogged = !isSilent;
  };
}
