// Cross-origin requests, by the table of Fabric's configtxlator.

import test from 'ava';
import { sendRequest } from '../../helpers/raw-http.js';
import { rawRequest, startTranslator } from '../../helpers/translator.js';

const A = 'https://a.example';
const B = 'https://b.example';
const DECODE = '/protolator/decode/test.Echo';

/** The CORS headers of a response. */
type Expected = Readonly<Record<string, string>>;
const allow = (origin: string): Expected => ({ 'access-control-allow-origin': origin });
const varying = (origin: string): Expected => ({ ...allow(origin), vary: 'Origin' });
const contentType = { 'access-control-allow-headers': 'Content-Type' };

interface Case {
  readonly origins: readonly string[];
  readonly line: string;
  readonly headers: readonly string[];
  readonly status: number;
  readonly expected: Expected;
}

const plain = (origins: readonly string[], headers: readonly string[], expected: Expected): Case => ({
  origins,
  line: `POST ${DECODE}`,
  headers,
  status: 200,
  expected,
});
const preflight = (
  origins: readonly string[],
  headers: readonly string[],
  status: number,
  expected: Expected = {},
): Case => ({ origins, line: `OPTIONS ${DECODE}`, headers, status, expected });

const from = (origin: string): string => `Origin: ${origin}`;
const method = (name: string): string => `Access-Control-Request-Method: ${name}`;
const headers = (names: string): string => `Access-Control-Request-Headers: ${names}`;

const CASES: readonly Case[] = [
  plain([], [from(A)], {}),
  preflight([], [from(A), method('POST')], 405),
  plain(['*'], [], {}),
  plain(['*'], [from(A)], allow('*')),
  plain(['*'], [from('null')], allow('*')),
  plain([A], [from(A)], allow(A)),
  plain([A], [from(B)], {}),
  plain([A], [from('https://A.example')], {}),
  plain([A], [from(`${A}/`)], {}),
  plain([A, B], [from(B)], varying(B)),
  plain([A, B], [from('https://c.example')], {}),
  plain([A, B], [], {}),
  plain([A, '*', B], [from(B)], allow('*')),
  { origins: [A], line: 'POST /nowhere', headers: [from(A)], status: 404, expected: allow(A) },
  { origins: [A], line: `GET ${DECODE}`, headers: [from(A)], status: 405, expected: allow(A) },
  { origins: [A], line: `POST ${DECODE}/`, headers: [from(A)], status: 301, expected: allow(A) },
  { origins: [A], line: 'POST /protolator/decode/x', headers: [from(A)], status: 404, expected: allow(A) },
  { origins: [A], line: 'GET /healthz', headers: [from(A)], status: 200, expected: allow(A) },
  preflight([A], [], 200),
  preflight([A], [from(B), method('POST')], 200),
  preflight([A], [from(A)], 400),
  preflight([A], [from(A), method('GET')], 405),
  preflight([A], [from(A), method('post')], 405),
  preflight([A], [from(A), method('DELETE')], 405),
  preflight([A], [from(A), method('')], 405),
  preflight([A], [from(A), method('POST'), headers('X-Other')], 403),
  preflight([A], [from(A), method('POST'), headers('Content-Type, Authorization')], 403),
  preflight([A], [from(A), method('POST')], 200, allow(A)),
  preflight([A], [from(A), method('POST'), headers('')], 200, allow(A)),
  preflight(
    [A],
    [from(A), method('POST'), headers('Accept, accept-language,Content-Language,origin')],
    200,
    allow(A),
  ),
  preflight([A], [from(A), method('POST'), headers('content-type')], 200, { ...allow(A), ...contentType }),
  preflight(['*'], [from(A), method('POST'), headers('accept,Content-Type')], 200, {
    ...allow('*'),
    ...contentType,
  }),
  preflight([A, B], [from(A), method('POST'), headers('Content-Type')], 200, {
    ...varying(A),
    ...contentType,
  }),
  {
    origins: [A],
    line: 'OPTIONS /nowhere',
    headers: [from(A), method('POST')],
    status: 200,
    expected: allow(A),
  },
  { origins: [A], line: 'OPTIONS //a', headers: [], status: 200, expected: {} },
];

for (const { origins, line, headers: sent, status, expected } of CASES) {
  test(`with CORS [${origins.join(' ')}] ${[line, ...sent].join(', ')} is ${status} with ${JSON.stringify(expected)}`, async (t) => {
    const { port } = await startTranslator(t, { origins });
    const [response] = await sendRequest(port, rawRequest(line, sent));
    t.is(response?.status, status);
    if (line.startsWith('OPTIONS')) t.is(response?.body, '');
    t.is(response?.headers.has('allow'), status === 405);
    const found = [...(response?.headers ?? [])].filter(
      ([name]) => name.startsWith('access-control-') || name === 'vary',
    );
    t.deepEqual(Object.fromEntries(found), expected);
  });
}
