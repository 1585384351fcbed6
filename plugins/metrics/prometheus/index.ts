import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import Negotiator from 'negotiator';
import { defineMetricSink, type ExpositionFormat, type SinkRequest } from '../../../core/contract/index.js';

const compress = promisify(gzip);
/** Metrics are so repetitive that more effort saves hardly a byte: half the time of the default for 6 % more. */
const LEVEL = 3;

// What is offered, best first where a scraper has no preference. Anything else asked for gets the text format, never 406.
const FORMATS: ReadonlyMap<string, ExpositionFormat> = new Map([
  ['text/plain;version=0.0.4', 'text'],
  ['text/plain;version=0.0.4;charset=utf-8', 'text'],
  ['application/openmetrics-text;version=1.0.0', 'openmetrics'],
  ['application/openmetrics-text;version=1.0.0;charset=utf-8', 'openmetrics'],
]);

/** Serves the metrics of the agent to Prometheus. */
export default defineMetricSink({
  name: 'prometheus',
  options: {
    path: { format: checkPath, default: '/metrics', doc: 'path of the resource, beginning with /' },
  },
  create({ options, reader }) {
    return {
      route: {
        path: options.path,
        async handle(request) {
          const { format, gzipped } = negotiate(request);
          const { contentType, body } = await reader.render(format);
          const headers = { 'Content-Type': contentType, Vary: 'Accept, Accept-Encoding' };
          return gzipped
            ? {
                headers: { ...headers, 'Content-Encoding': 'gzip' },
                body: await compress(body, { level: LEVEL }),
              }
            : { headers, body };
        },
      },
    };
  },
});

/** Words between slashes; none of them `.` or `..`, which would never reach the resource. */
const PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._-]+)+$/;

function checkPath(value: unknown): void {
  if (typeof value !== 'string' || !PATH.test(value)) throw new Error('must be a path such as /metrics');
}

function negotiate({ headers }: SinkRequest): { format: ExpositionFormat; gzipped: boolean } {
  const negotiator = new Negotiator({ headers: Object.fromEntries(headers) });
  const type = negotiator.mediaType([...FORMATS.keys()]);
  return {
    format: FORMATS.get(type ?? '') ?? 'text',
    // An encoding nobody asked for by name (`*`) is not worth the work.
    gzipped:
      /gzip/i.test(headers.get('accept-encoding') ?? '') &&
      negotiator.encodings(['gzip', 'identity'])[0] === 'gzip',
  };
}
