import { CheckWarning, defineHealthChecker } from '../../../core/contract/index.js';
import type { ForNode, WithOrigin } from '../../../core/contract/internal/index.js';
import { formatDuration, HttpClient } from '../../../core/kit/index.js';
import { checkOperationsOptions, OPERATIONS_OPTIONS } from '../../../core/kit/internal/index.js';
import { authorization, checkCredentials } from './credentials.js';
import { reasonIn } from './response.js';

/**
 * The requests in this order: the health check of a peer (`healthCheck` of Fabric's statecouchdb), then the health check of CouchDB itself.
 */
const REQUESTS = [
  { method: 'HEAD', path: '/' },
  { method: 'GET', path: '/_up' },
] as const;

/**
 * The state database of a peer, unless a container with a network of its own has it at an address there. Fabric's statecouchdb uses no TLS, and
 * sends credentials only if both are set.
 */
const forNode: ForNode = (node) => {
  if (node.get('network').value !== undefined) return undefined;
  const text = (key: string): WithOrigin<string> => {
    const { value, origin } = node.get<unknown>(`couchdb.${key}`);
    // A password of digits is a number in YAML.
    return { value: String(value), origin };
  };
  const [address, username, password] = [text('address'), text('username'), text('password')];
  if (text('stateDatabase').value !== 'CouchDB' || address.value === '') return undefined;
  const hasCredentials = username.value !== '' && password.value !== '';
  return { address, ...(hasCredentials && { username, password }) };
};

/** Checks a CouchDB, such as the state database of a peer. */
export default defineHealthChecker({
  name: 'couchdb',
  headlines: {
    failed: 'The agent cannot use CouchDB of {node}',
    warning: 'CouchDB of {node} needs attention',
  },
  forNode,
  // The peer itself reports a check `couchdb`.
  nodeComponent: 'state-database',
  options: {
    ...OPERATIONS_OPTIONS,
    address: { format: 'host-port', doc: 'address of CouchDB' },
    tls: { format: Boolean, default: false, doc: 'whether CouchDB uses TLS' },
    username: { format: String, default: '', doc: 'user name; empty: no credentials are sent' },
    password: { format: String, default: '', doc: 'password of the user', sensitive: true },
    timeout: { format: 'duration', default: '5s', doc: 'time limit for each of the two requests' },
    slow: { format: 'duration', default: '1s', doc: 'a warning if both requests take longer' },
  },
  create({ options, log }) {
    const client = new HttpClient(options, log);
    const headers = authorization(options);

    return {
      init() {
        checkOperationsOptions(options);
        checkCredentials(options);
      },

      start: () => client.open(),

      async check(signal) {
        let shortest = Infinity;
        for (const request of REQUESTS) {
          const start = performance.now();
          const response = await client.send({ ...request, headers, timeout: options.timeout, signal });
          const reason = reasonIn(response, options.username !== '');
          if (reason !== undefined) throw new Error(`${client.describe(request)}: ${reason}`);
          shortest = Math.min(shortest, performance.now() - start);
        }
        // One slow request may be a pause of the agent itself.
        if (shortest > options.slow)
          throw new CheckWarning(
            `${client.describe(REQUESTS[0])} and GET ${REQUESTS[1].path} both took longer than ${formatDuration(options.slow)}; transactions wait for CouchDB`,
          );
      },

      stop: () => client.close(),
    };
  },
});
