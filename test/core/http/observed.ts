// The recorded exchanges with Fabric nodes, and the intended differences of the agent.

import { readFileSync } from 'node:fs';

/** One exchange with a peer or an orderer over plain HTTP. */
export interface Exchange {
  readonly service: string;
  readonly version: string;
  readonly metricsProvider?: string;
  readonly note?: string;
  readonly request: {
    readonly method: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly raw?: string;
    readonly httpVersion?: string;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly logspecAfter?: string;
}

/** The expected response of the agent. */
export interface Expected {
  readonly status: number;
  /** Undefined: no such header. */
  readonly headers: Readonly<Record<string, string | RegExp | undefined>>;
  readonly body: string | RegExp;
  /** The active specification afterwards, if it was recorded. */
  readonly spec: string | undefined;
}

/** An intended difference. */
export interface Difference {
  readonly reason: string;
  /** Node refuses the request itself: the response has a status and nothing else to check. */
  readonly isFromNode?: boolean;
  readonly applies: (exchange: Exchange) => boolean;
  readonly expected: (exchange: Exchange) => Partial<Expected>;
}

/** Every exchange recorded without TLS. */
export const EXCHANGES = JSON.parse(
  readFileSync('test/vectors/operations-observed.json', 'utf8'),
) as readonly Exchange[];

/** The active specification before each exchange that records the one afterwards. */
export const SPEC_BEFORE = 'fatal';

/**
 * Whether an exchange can be replayed: the bytes of some requests are only described, some were sent to a TLS listener, and Node
 * closes the connection of a CONNECT request without a response.
 */
export function isReplayable({ request: { method, body = '', raw = '' }, note = '' }: Exchange): boolean {
  const isForTls = note === 'plain HTTP request sent to the TLS listener';
  return !body.startsWith('(') && !raw.startsWith('(abridged') && !isForTls && method !== 'CONNECT';
}

const ROUTES: Readonly<Record<string, string>> = {
  '/healthz': 'GET, HEAD',
  '/logspec': 'GET, HEAD, PUT',
  '/metrics': 'GET, HEAD',
  '/version': 'GET, HEAD',
};
const ERROR_BODY = /^\{"error":"(?:[^"\\]|\\.)+"\}\n$/;
const JSON_TYPE = { 'Content-Type': 'application/json' };
const TEXT_TYPE = { 'Content-Type': 'text/plain; charset=utf-8' };

const isOn = (path: string, ...methods: readonly string[]) => {
  return ({ request, response }: Exchange): boolean =>
    request.raw === undefined &&
    request.path.split('?')[0] === path &&
    methods.includes(request.method) &&
    response.status !== 404;
};
const isUnknownMethod = ({ request: { method, raw } }: Exchange): boolean =>
  raw === undefined && ['FOO', 'get'].includes(method);
const isNoted = (note: string) => (exchange: Exchange) => exchange.note === note;
const isPut = ({ request, response }: Exchange, status: number): boolean =>
  request.raw === undefined &&
  request.method === 'PUT' &&
  request.path.split('?')[0] === '/logspec' &&
  response.status === status;

/** Bodies that a node accepts and the agent refuses. */
const ACCEPTED_BY_NODES = new Set([
  '{"spec":"debug","extra":1,"other":{"a":[1]}}',
  '{}',
  '{"spec":null}',
  '{"spec":"debug","spec":"warn"}',
  '{"SPEC":"debug"}',
  '{"Spec":"error"}',
  '{"specs":"debug"}',
  '{"spec":"debug"} garbage',
  '{"spec":"debug"}{"spec":"warn"}',
  '{"spec":"debug"}}',
  'null',
  '{"a":{"spec":"debug"}}',
]);

/** The note of the exchange with a body that does not arrive completely. */
export const LATE_BODY = 'body stalls for ever: answered after 10 s';

/** The first one that applies is used. */
export const DIFFERENCES: readonly Difference[] = [
  {
    reason: "Node's HTTP parser refuses unknown methods and malformed requests with 400",
    isFromNode: true,
    applies: (exchange) =>
      isUnknownMethod(exchange) ||
      [
        'malformed chunk size',
        'Content-Length shorter than the document',
        'bad Content-Length',
        'malformed request line',
        'HTTP/2 prior-knowledge preface',
        'no Host header',
        'unsupported HTTP version',
      ].includes(exchange.note ?? ''),
    expected: () => ({ status: 400 }),
  },
  {
    reason: 'a transfer coding other than chunked receives 501 with an error',
    applies: isNoted('Transfer-Encoding: identity'),
    expected: () => ({ headers: JSON_TYPE, body: ERROR_BODY }),
  },
  {
    reason: 'Node refuses an unknown expectation with 417',
    isFromNode: true,
    applies: ({ response }) => response.status === 417,
    expected: () => ({ status: 417 }),
  },
  {
    reason: 'dot segments and fragments are removed from a path',
    applies: ({ request }) => ['/./healthz', '/x/../healthz', '/healthz#f'].includes(request.path),
    expected: () => ({
      status: 200,
      headers: { ...JSON_TYPE, 'X-Content-Type-Options': undefined, Location: undefined },
      body: /^\{"status":"OK","time":"[^"]+"\}$/,
    }),
  },
  {
    reason: 'a doubled slash is not removed from a path',
    applies: ({ request }) => request.path === '//healthz',
    expected: () => ({
      status: 404,
      headers: { ...TEXT_TYPE, 'X-Content-Type-Options': 'nosniff', Location: undefined },
      body: '404 page not found\n',
    }),
  },
  {
    reason: 'the version is that of the agent, and every build has one',
    applies: (exchange) => isOn('/version', 'GET')(exchange) || exchange.note === 'HTTP/1.0 without Host',
    expected: () => ({ body: /^\{"CommitSHA":"[^"]+","Version":"\d+\.\d+\.\d+"\}$/ }),
  },
  {
    reason: 'HEAD is supported where GET is',
    applies: (exchange) => exchange.request.method === 'HEAD' && exchange.request.path in ROUTES,
    expected: ({ request }) => ({
      status: 200,
      headers: request.path === '/metrics' ? { 'Content-Type': /^text\/plain; version=0\.0\.4/ } : JSON_TYPE,
      body: '',
    }),
  },
  {
    reason: 'an unsupported method receives 405 with Allow and an error',
    applies: ({ request, response }) =>
      request.path in ROUTES &&
      !ROUTES[request.path]?.split(', ').includes(request.method) &&
      response.status !== 404,
    expected: ({ request: { method, path } }) => ({
      status: 405,
      headers: { ...JSON_TYPE, Allow: ROUTES[path] },
      body: `{"error":"invalid request method: ${method}"}\n`,
    }),
  },
  {
    reason: 'metrics are those of the agent; OpenMetrics is supported, protobuf and zstd are not',
    applies: isOn('/metrics', 'GET'),
    expected: ({ request: { headers = {} } }) => {
      const isOpen = headers.Accept?.startsWith('application/openmetrics-text') === true;
      const isZipped = headers['Accept-Encoding'] === 'gzip';
      return {
        headers: {
          'Content-Type': isOpen
            ? 'application/openmetrics-text; version=1.0.0; charset=utf-8'
            : 'text/plain; version=0.0.4; charset=utf-8',
          'Content-Encoding': isZipped ? 'gzip' : undefined,
        },
        body: isZipped ? /[^]/ : /^# HELP [^]*\nfabric_ops_agent_version\{version="[^"]+"\} 1\n/,
      };
    },
  },
  {
    reason: 'PUT accepts exactly one attribute, "spec"; any other body changes nothing',
    applies: (exchange) => isPut(exchange, 204) && ACCEPTED_BY_NODES.has(exchange.request.body ?? ''),
    expected: ({ logspecAfter }) => ({
      status: 400,
      headers: JSON_TYPE,
      body: ERROR_BODY,
      spec: logspecAfter && SPEC_BEFORE,
    }),
  },
  {
    reason: 'a body that stalls receives 408',
    applies: isNoted(LATE_BODY),
    expected: () => ({
      status: 408,
      body: '{"error":"the request body did not arrive within 1s"}\n',
    }),
  },
  {
    reason: 'error texts about a body are different',
    applies: (exchange) => isPut(exchange, 400) && !exchange.response.body.includes('logging specification'),
    expected: () => ({ body: ERROR_BODY }),
  },
  {
    reason: 'a late check is a failed check',
    applies: ({ response }) => response.status === 408,
    expected: () => ({
      status: 503,
      headers: JSON_TYPE,
      body: /"failed_checks":\[\{"component":"docker","reason":"timed out after 100ms"\}\]\}$/,
    }),
  },
  {
    reason: 'whitespace around the reason of a failed check is removed',
    applies: ({ response }) => /(?: |\\n)"\}\]\}$/.test(response.body),
    expected: ({ response }) => ({ body: response.body.replace(/(?: |\\n)"\}\]\}$/, '"}]}') }),
  },
  {
    reason: 'a target that is not a path receives an error in the usual form',
    applies: ({ request }) => request.path === '*',
    expected: () => ({
      status: 400,
      headers: JSON_TYPE,
      body: '{"error":"the request target is neither a path nor an http URL"}\n',
    }),
  },
];
