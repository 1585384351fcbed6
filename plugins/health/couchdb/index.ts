import { defineHealthChecker } from '../../../core/contract/index.js';
import { PluginHttpClient } from '../../../core/kit/http-client.js';
import { checkOperationsOptions, OPERATIONS_OPTIONS } from '../../../core/kit/operations-options.js';
import { authorization, checkCredentials } from './credentials.js';
import { reasonIn } from './response.js';

/** Largest body of a response, in bytes. */
const MAX_BODY_SIZE = 1024 * 1024;

/** Sent in this order: the health check of a peer (`healthCheck` of Fabric's statecouchdb), then that of CouchDB itself. */
const REQUESTS = [
  { method: 'HEAD', path: '/' },
  { method: 'GET', path: '/_up' },
] as const;

/** Checks a CouchDB, such as the state database of a peer. */
export default defineHealthChecker({
  name: 'couchdb',
  options: {
    ...OPERATIONS_OPTIONS,
    address: { format: 'host-port', doc: 'address of CouchDB' },
    tls: { format: Boolean, default: false, doc: 'whether CouchDB uses TLS' },
    username: { format: String, default: '', doc: 'user name; empty: no credentials are sent' },
    password: { format: String, default: '', doc: 'password of the user', sensitive: true },
    timeout: { format: 'duration', default: '5s', doc: 'time limit for each of the two requests' },
  },
  create({ options, log }) {
    const client = new PluginHttpClient(options, log);
    const headers = authorization(options);

    return {
      init() {
        checkOperationsOptions(options);
        checkCredentials(options);
      },

      start: () => client.open(),

      async check(signal) {
        for (const request of REQUESTS) {
          const sent = { ...request, headers, maxSize: MAX_BODY_SIZE, signal };
          const reason = reasonIn(await client.sendWithin(options.timeout, sent), options.username !== '');
          if (reason !== undefined) throw new Error(`${client.describe(request)}: ${reason}`);
        }
      },

      stop: () => client.close(),
    };
  },
});
