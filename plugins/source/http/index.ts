import { defineMetricSource, SourceError } from '../../../core/contract/index.js';
import {
  checkClientCertificate,
  checkUrl,
  describeResponse,
  endpointOf,
  HttpClient,
  readSecret,
} from '../../../core/kit/index.js';
import { OPERATIONS_OPTIONS, withoutSecrets } from '../../../core/kit/internal/index.js';
import { ExpositionParser, MAX_METRICS_SIZE, readExposition } from '../../../core/kit/metrics.js';

/** Reads the metrics of another exporter in the Prometheus text format. */
export default defineMetricSource({
  name: 'http',
  options: {
    url: { format: checkUrl, doc: 'URL of the metrics' },
    authorizationFile: {
      format: 'path',
      default: '',
      doc: 'file with the value of the header `Authorization`, read for each request',
    },
    ca: OPERATIONS_OPTIONS.ca,
    cert: OPERATIONS_OPTIONS.cert,
    key: OPERATIONS_OPTIONS.key,
    serverName: {
      format: String,
      default: '',
      doc: 'host name in the server certificate; empty: the host of `url`',
    },
  },
  create({ options, log }) {
    const { url, authorizationFile, ca, cert, key, serverName } = options;
    const { path, ...endpoint } = endpointOf(new URL(url as string));
    const client = new HttpClient({ ...endpoint, ca, cert, key, serverName }, log);
    const parser = new ExpositionParser();

    return {
      init: () => checkClientCertificate(options),
      start: () => client.open(),
      stop: () => client.close(),

      async read(signal) {
        const headers = {
          Accept: 'text/plain;version=0.0.4',
          ...(authorizationFile !== '' && {
            Authorization: await readSecret(authorizationFile, 'options.authorizationFile'),
          }),
        };
        const sent = { method: 'GET', path, headers, maxSize: MAX_METRICS_SIZE, signal };
        const response = await client.send(sent);
        const what = client.describe(sent);
        if (response.status !== 200)
          throw new SourceError('status', `${what}: ${describeResponse(response)}`);
        return readExposition(parser, response.body, what, signal, (reason) => withoutSecrets(reason, sent));
      },
    };
  },
});
