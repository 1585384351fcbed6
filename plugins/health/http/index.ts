import { defineHealthChecker } from '../../../core/contract/index.js';
import {
  checkClientCertificate,
  checkUrl,
  describeResponse,
  endpointOf,
  HttpClient,
  onOneLine,
} from '../../../core/kit/index.js';
import { OPERATIONS_OPTIONS } from '../../../core/kit/internal/index.js';
import { checkStatuses, parseStatuses } from './statuses.js';

/** The part of a response body that is read, in bytes. */
const MAX_BODY_SIZE = 64 * 1024;

/** Checks the status of the response to an HTTP request. */
export default defineHealthChecker({
  name: 'http',
  options: {
    url: { format: checkUrl, doc: 'URL to request' },
    method: { format: ['GET', 'HEAD'], default: 'GET', doc: 'method of the request' },
    status: { format: checkStatuses, default: '200-299', doc: 'statuses of a healthy response' },
    ca: OPERATIONS_OPTIONS.ca,
    cert: OPERATIONS_OPTIONS.cert,
    key: OPERATIONS_OPTIONS.key,
    serverName: {
      format: String,
      default: '',
      doc: 'host name in the server certificate; empty: the host of `url`',
    },
    timeout: { format: 'duration', default: '5s', doc: 'time limit for a request' },
  },
  create({ options, log }) {
    const { url, method, status, ca, cert, key, serverName, timeout } = options;
    const { path, ...endpoint } = endpointOf(new URL(url as string));
    const isHealthy = parseStatuses(status);
    const client = new HttpClient({ ...endpoint, ca, cert, key, serverName }, log);

    return {
      init: () => checkClientCertificate(options),
      start: () => client.open(),

      async check(signal) {
        const sent = { method, path, maxSize: MAX_BODY_SIZE, acceptsAny: true, timeout, signal };
        const found = await client.send(sent);
        if (isHealthy(found.status)) return;
        const reason = onOneLine(describeResponse(found));
        throw new Error(`${client.describe(sent)}: ${reason}`);
      },

      stop: () => client.close(),
    };
  },
});
