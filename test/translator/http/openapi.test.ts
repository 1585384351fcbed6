// translator/http/openapi.yaml against running services: every response is described, and every described response occurs.

import { fileURLToPath } from 'node:url';
import test from 'ava';
import { OpenApi } from '../../helpers/openapi.js';
import { exchangeRaw, parseResponses } from '../../helpers/raw-http.js';
import { BOUNDARY, rawRequest, startTranslator, writeForm } from '../../helpers/translator.js';

const FILE = fileURLToPath(new URL('../../../../translator/http/openapi.yaml', import.meta.url));
const MAX_BODY = 1000;
const PAGE = 'https://page.example';
const FORM = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;
const PREFLIGHT = [`Origin: ${PAGE}`, 'Access-Control-Request-Method: POST'];

const api = new OpenApi(FILE);

/** A request: its path in the description, its bytes, and whether the service has `--CORS`. */
interface Case {
  readonly path: string;
  readonly sent: string | Buffer;
  readonly cors?: boolean;
}

const DECODE = '/protolator/decode/{type}';
const ENCODE = '/protolator/encode/{type}';
const COMPUTE = '/configtxlator/compute/update-from-configs';

function translation(
  path: string,
  body: string,
  { type = 'test.Echo', headers = [] as string[] } = {},
): Case {
  return { path, sent: rawRequest(`POST ${path.replace('{type}', type)}`, headers, body) };
}

/** A request without the end of its body. */
function unfinished(path: string, header: string): Case {
  const line = `POST ${path.replace('{type}', 'test.Echo')} HTTP/1.1`;
  return { path, sent: `${line}\r\nHost: localhost\r\n${header}\r\nContent-Length: 9\r\n\r\n{` };
}

function computation(original: string, updated: string, channel: string | Buffer = 'ch'): Case {
  const form = writeForm([
    { name: 'original', filename: 'a', content: original },
    { name: 'updated', filename: 'b', content: updated },
    { name: 'channel', content: channel },
  ]);
  return { path: COMPUTE, sent: rawRequest(`POST ${COMPUTE}`, [FORM], form) };
}

const plain = (line: string, headers: readonly string[] = []): Case => ({
  path: line.slice(line.indexOf(' ') + 1),
  sent: rawRequest(line, headers),
});

const CASES: Readonly<Record<string, Case>> = {
  'decode of a message': translation(DECODE, 'x'),
  'decode of bytes that are not a message': translation(DECODE, 'BAD_BYTES'),
  'decode of an unknown type': translation(DECODE, 'x', { type: 'test.None' }),
  'decode of a body above the limit': translation(DECODE, 'x'.repeat(MAX_BODY + 1)),
  'decode of a body that does not arrive': unfinished(DECODE, 'Accept: */*'),
  'decode for a page': {
    ...translation(DECODE, 'x', { headers: [`Origin: ${PAGE}`] }),
    cors: true,
  },
  'encode of a document': translation(ENCODE, '{}'),
  'encode of invalid JSON': translation(ENCODE, 'BAD_JSON'),
  'encode of an unknown type': translation(ENCODE, '{}', { type: 'test.None' }),
  'encode of a body above the limit': translation(ENCODE, 'x'.repeat(MAX_BODY + 1)),
  'encode of a body that does not arrive': unfinished(ENCODE, 'Accept: */*'),
  'compute of two configurations': computation('a', 'b'),
  'compute of two equal configurations': computation('a', 'a'),
  'compute for a channel that is not UTF-8': computation('a', 'b', Buffer.from([0xff])),
  'compute of a body above the limit': computation('a', 'b'.repeat(MAX_BODY)),
  'compute of a body that does not arrive': unfinished(COMPUTE, FORM),
  'GET /healthz': plain('GET /healthz'),
  'HEAD /healthz': plain('HEAD /healthz'),
  'GET /version': plain('GET /version'),
  'HEAD /version': plain('HEAD /version'),
  'an unknown path': plain('GET /nothing-here'),
  'a path with a doubled slash': plain('GET //healthz'),
  'an unsupported method': plain('PUT /healthz'),
  'an unsupported expectation': plain('GET /version', ['Expect: miracles']),
  'a request without Host': { path: '/version', sent: 'GET /version HTTP/1.1\r\n\r\n' },
  'a request with two Host headers': plain('GET /version', ['Host: y']),
  'a request with a foreign Host': {
    path: '/version',
    sent: 'GET /version HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  },
  'a request of HTTP/2.0': { path: '/version', sent: 'GET /version HTTP/2.0\r\nHost: localhost\r\n\r\n' },
  'a request with another transfer coding': {
    path: '/version',
    sent: 'POST /version HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
  },
  'an unsupported method, with CORS': { ...plain('PUT /healthz'), cors: true },
  'a request that is not HTTP': { path: '/', sent: 'garbage\r\n\r\n' },
  'a header above the limit': plain('GET /version', [`X-Long: ${'x'.repeat(70_000)}`]),
  'a header that does not end': { path: '/version', sent: 'GET /version HTTP/1.1\r\nHost: localhost\r\n' },
  'an internal error': translation(DECODE, 'crash'),
  'a preflight request': { ...plain('OPTIONS /version', PREFLIGHT), cors: true },
  'a preflight request for Content-Type': {
    ...plain('OPTIONS /version', [...PREFLIGHT, 'Access-Control-Request-Headers: Content-Type']),
    cors: true,
  },
  'a preflight request for another header': {
    ...plain('OPTIONS /version', [...PREFLIGHT, 'Access-Control-Request-Headers: X-Any']),
    cors: true,
  },
};

const seen = new Set<string>();

for (const [what, { path, sent, cors = false }] of Object.entries(CASES))
  test(`the response to ${what} is described`, async (t) => {
    const origins = cors ? [PAGE, 'https://other.example'] : [];
    const { port } = await startTranslator(t, { maxBody: MAX_BODY, origins });
    const method = /^[A-Z]+/.exec(sent.toString('latin1'))?.[0] ?? '';

    const responses = parseResponses((await exchangeRaw(port, sent)).bytes, [method]);

    t.is(responses.length, 1);
    for (const response of responses) {
      seen.add(api.keyOf({ method, path, response }));
      t.deepEqual(api.problems({ method, path, response }), [], `${response.status}`);
    }
  });

test.after('every described response occurred', (t) => {
  t.deepEqual(
    api.described.filter((key) => !seen.has(key)),
    [],
  );
});
