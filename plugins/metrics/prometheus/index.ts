import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import Negotiator from 'negotiator';
import { defineMetricSink } from '../../../core/contract/index.js';
import type { SinkRequest } from '../../../core/contract/internal/index.js';
import { render, type ExpositionFormat } from './exposition.js';
import { SharedRenderings } from './shared-renderings.js';

const compress = promisify(gzip);
/** The default level 6 takes twice as long and makes metrics only 6 % smaller. */
const GZIP_LEVEL = 3;

// In the order of preference, for clients without a preference. Every other media type gets the text format, never 406.
const FORMATS: ReadonlyMap<string, ExpositionFormat> = new Map([
  ['text/plain;version=0.0.4', 'text'],
  ['text/plain;version=0.0.4;charset=utf-8', 'text'],
  ['application/openmetrics-text;version=1.0.0', 'openmetrics'],
  ['application/openmetrics-text;version=1.0.0;charset=utf-8', 'openmetrics'],
]);

/** Serves the metrics of the agent to Prometheus. */
export default defineMetricSink({
  name: 'prometheus',
  forAgent: (agent) =>
    agent.get('metrics.provider').value === 'prometheus'
      ? { key: 'metrics.provider', options: {} }
      : undefined,
  options: {
    path: { format: checkPath, default: '/metrics', doc: 'path of the resource, beginning with /' },
  },
  create({ options, reader }) {
    const sizes = new Map<ExpositionFormat, number>();
    const renderings = new SharedRenderings(async (format: ExpositionFormat, timeout: number | undefined) => {
      const { contentType, body } = await render(reader, format, { size: sizes.get(format), timeout });
      sizes.set(format, body.length);
      return createRendering(contentType, body);
    });
    return {
      route: {
        path: options.path,
        async handle(request) {
          const { format, isGzipped } = negotiate(request);
          const { contentType, plain, gzipped } = await renderings.get(format, timeoutOf(request));
          return {
            headers: {
              'Content-Type': contentType,
              Vary: 'Accept, Accept-Encoding',
              ...(isGzipped && { 'Content-Encoding': 'gzip' }),
            },
            body: isGzipped ? await gzipped() : plain,
          };
        },
      },
      stop: () => renderings.clear(),
    };
  },
});

/** The part of the time limit of Prometheus for reading nodes; the rest is for rendering and sending. */
const READ_PART = 0.9;

/** How long the scrape may wait for nodes, in milliseconds; undefined if the request does not contain the time limit of Prometheus. */
function timeoutOf({ headers }: SinkRequest): number | undefined {
  const seconds = Number(headers.get('x-prometheus-scrape-timeout-seconds'));
  return seconds > 0 ? seconds * 1000 * READ_PART : undefined;
}

/** Rendered metrics, which are compressed once if a client accepts that. */
function createRendering(contentType: string, plain: Buffer) {
  let compressed: Promise<Buffer> | undefined;
  return { contentType, plain, gzipped: () => (compressed ??= compress(plain, { level: GZIP_LEVEL })) };
}

/** Segments of letters, digits, `.`, `_` and `-`, but not `.` or `..`, which clients remove from a URL. */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]+)+$/;

function checkPath(value: unknown): void {
  if (typeof value !== 'string' || !PATH.test(value)) throw new Error('must be a path such as /metrics');
}

function negotiate({ headers }: SinkRequest): { format: ExpositionFormat; isGzipped: boolean } {
  const negotiator = new Negotiator({ headers: Object.fromEntries(headers) });
  const type = negotiator.mediaType([...FORMATS.keys()]);
  return {
    format: FORMATS.get(type ?? '') ?? 'text',
    // `*` alone does not select gzip.
    isGzipped:
      /gzip/i.test(headers.get('accept-encoding') ?? '') &&
      negotiator.encodings(['gzip', 'identity'])[0] === 'gzip',
  };
}
