import { gzip } from 'node:zlib';
import { promisify } from 'node:util';
import Negotiator from 'negotiator';
import { defineMetricSink, type ExpositionFormat, type SinkRequest } from '../../../core/contract/index.js';

const compress = promisify(gzip);

// What is offered, best first where a scraper has no preference. Anything else asked for gets the text format, never 406.
const FORMATS: ReadonlyMap<string, ExpositionFormat> = new Map([
  ['text/plain;version=0.0.4', 'text'],
  ['application/openmetrics-text;version=1.0.0', 'openmetrics'],
]);

/** Serves the metrics of the agent to Prometheus. */
export default defineMetricSink({
  name: 'prometheus',
  options: {
    path: { format: String, default: '/metrics', doc: 'path of the resource, beginning with /' },
  },
  create({ options, reader }) {
    return {
      init() {
        if (!/^\/[A-Za-z0-9._/-]+$/.test(options.path))
          throw new Error(
            `options.path: must be a path such as /metrics: value was ${JSON.stringify(options.path)}`,
          );
      },
      route: {
        path: options.path,
        async handle(request) {
          const { format, gzipped } = negotiate(request);
          const { contentType, body } = await reader.render(format);
          const headers = { 'Content-Type': contentType, Vary: 'Accept, Accept-Encoding' };
          return gzipped
            ? { headers: { ...headers, 'Content-Encoding': 'gzip' }, body: await compress(body) }
            : { headers, body };
        },
      },
    };
  },
});

function negotiate({ headers }: SinkRequest): { format: ExpositionFormat; gzipped: boolean } {
  const negotiator = new Negotiator({ headers: Object.fromEntries(headers) });
  const type = negotiator.mediaType([...FORMATS.keys()]);
  return {
    format: FORMATS.get(type ?? '') ?? 'text',
    // An encoding nobody asked for by name (`*`) is not worth the work.
    gzipped:
      headers.get('accept-encoding')?.includes('gzip') === true &&
      negotiator.encodings(['gzip', 'identity'])[0] === 'gzip',
  };
}
