// The recorded exchanges of real nodes, and where the agent answers otherwise on purpose.

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

/** What the agent is to answer. */
export interface Expected {
  readonly status: number;
  /** Undefined: no such header. */
  readonly headers: Readonly<Record<string, string | RegExp | undefined>>;
  readonly body: string | RegExp;
  /** The active specification afterwards, where it was recorded. */
  readonly spec: string | undefined;
}

/** A way in which the agent differs. */
export interface Difference {
  readonly reason: string;
  readonly applies: (exchange: Exchange) => boolean;
  readonly expected: (exchange: Exchange) => Partial<Expected>;
}

/** Every exchange that was recorded without TLS. */
export const EXCHANGES = JSON.parse(
  readFileSync('test/vectors/operations-observed.json', 'utf8'),
) as readonly Exchange[];

/** The specification before each case that records the one after it. */
export const SPEC_BEFORE = 'fatal';

/** Whether the bytes of the request are known; of some it is only said what they were. */
export function isReplayable({ request: { body = '', raw = '' }, note = '' }: Exchange): boolean {
  const isForTls = note === 'plain HTTP request sent to the TLS listener';
  return !body.startsWith('(') && !raw.startsWith('(abridged') && !isForTls;
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

/** Bodies that a node accepts and the agent does not. */
const TOO_LOOSE = new Set([
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

/** The first that applies decides. */
export const DIFFERENCES: readonly Difference[] = [
  {
    reason: 'the agent has a version of its own, and no build of it is without one',
    applies: (exchange) => isOn('/version', 'GET')(exchange) || exchange.note === 'HTTP/1.0 without Host',
    expected: () => ({ body: /^\{"CommitSHA":"[^"]+","Version":"\d+\.\d+\.\d+"\}$/ }),
  },
  {
    reason: 'HEAD is answered where GET is',
    applies: (exchange) => exchange.request.method === 'HEAD' && exchange.request.path in ROUTES,
    expected: ({ request }) => ({
      status: 200,
      headers: request.path === '/metrics' ? { 'Content-Type': /^text\/plain; version=0\.0\.4/ } : JSON_TYPE,
      body: '',
    }),
  },
  {
    reason: "node's HTTP parser knows methods by name and tells nothing of a request with another one",
    applies: isUnknownMethod,
    expected: () => ({ status: 501, headers: TEXT_TYPE, body: '501 Not Implemented' }),
  },
  {
    reason: 'a method that a route does not support: 405, Allow and an error',
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
    reason:
      'metrics are those of the agent; OpenMetrics is offered, protobuf and zstd are not, escaping is not mentioned',
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
    reason: 'PUT takes one attribute, "spec", and nothing else; the active specification stays',
    applies: (exchange) => isPut(exchange, 204) && TOO_LOOSE.has(exchange.request.body ?? ''),
    expected: ({ logspecAfter }) => ({
      status: 400,
      headers: JSON_TYPE,
      body: ERROR_BODY,
      spec: logspecAfter && SPEC_BEFORE,
    }),
  },
  {
    reason: 'a body that stalls is answered 408',
    applies: isNoted('body stalls for ever: answered after 10 s'),
    expected: () => ({
      status: 408,
      body: '{"error":"the request body did not arrive within 10s"}\n',
    }),
  },
  {
    reason: 'what is wrong with a body is said in words of our own',
    applies: (exchange) => isPut(exchange, 400) && !exchange.response.body.includes('logging specification'),
    expected: () => ({ body: ERROR_BODY }),
  },
  {
    reason: 'a check has its own deadline; a late check is a failed check, not a late answer',
    applies: ({ response }) => response.status === 408,
    expected: () => ({
      status: 503,
      headers: JSON_TYPE,
      body: /"failed_checks":\[\{"component":"docker","reason":"timed out after 100ms"\}\]\}$/,
    }),
  },
  {
    reason: 'blanks around the reason of a failed check are not shown',
    applies: ({ response }) => /(?: |\\n)"\}\]\}$/.test(response.body),
    expected: ({ response }) => ({ body: response.body.replace(/(?: |\\n)"\}\]\}$/, '"}]}') }),
  },
  {
    reason: 'the only expectation is 100-continue; the refusal says so',
    applies: ({ response }) => response.status === 417,
    expected: () => ({
      headers: JSON_TYPE,
      body: '{"error":"the only expectation that can be met is 100-continue"}\n',
    }),
  },
  {
    reason: 'a target that is no path: an error in the form of all others',
    applies: ({ request }) => request.method === 'GET' && request.path === '*',
    expected: () => ({ headers: JSON_TYPE, body: '{"error":"the request target cannot be read"}\n' }),
  },
  {
    reason: "node's HTTP parser finds every fault of a transfer coding alike",
    applies: isNoted('Transfer-Encoding: identity'),
    expected: () => ({
      status: 400,
      headers: JSON_TYPE,
      body: '{"error":"the request body is malformed or cut off"}\n',
    }),
  },
  {
    reason: 'a refused protocol is named by its status alone',
    applies: isNoted('unsupported HTTP version'),
    expected: () => ({ body: '505 HTTP Version Not Supported' }),
  },
  {
    reason: 'the preface of HTTP/2 is a broken request like any other',
    applies: isNoted('HTTP/2 prior-knowledge preface'),
    expected: () => ({ headers: TEXT_TYPE, body: '400 Bad Request' }),
  },
];
