// translator/http/openapi.yaml against services that run: every answer is described, and every answer described is given by one of them.

import { fileURLToPath } from 'node:url';
import test from 'ava';
import { OpenApi } from '../../helpers/openapi.js';
import { exchangeRaw, parseAnswers } from '../../helpers/raw-http.js';
import { BOUNDARY, rawRequest, startTranslator, writeForm } from '../../helpers/translator.js';

const FILE = fileURLToPath(new URL('../../../../translator/http/openapi.yaml', import.meta.url));
/** Longer than the limits of the service, in milliseconds. */
const WAIT = 30_000;
const MAX_BODY = 1000;
const PAGE = 'https://page.example';
const FORM = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;
const PREFLIGHT = [`Origin: ${PAGE}`, 'Access-Control-Request-Method: POST'];

const api = new OpenApi(FILE);

/** A request: its path as described, what is sent, and whether the service has `--CORS`. */
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

/** A request that says what its body is like, and does not send all of it. */
function unfinished(path: string, header: string): Case {
  const line = `POST ${path.replace('{type}', 'test.Echo')} HTTP/1.1`;
  return { path, sent: `${line}\r\nHost: x\r\n${header}\r\nContent-Length: 9\r\n\r\n{` };
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
  'a message to decode': translation(DECODE, 'x'),
  'bytes that are no message': translation(DECODE, 'BAD_BYTES'),
  'bytes of an unknown type': translation(DECODE, 'x', { type: 'test.None' }),
  'bytes that are too many': translation(DECODE, 'x'.repeat(MAX_BODY + 1)),
  'bytes that never arrive': unfinished(DECODE, 'Accept: */*'),
  'a message to decode for a page': {
    ...translation(DECODE, 'x', { headers: [`Origin: ${PAGE}`] }),
    cors: true,
  },
  'JSON to encode': translation(ENCODE, '{}'),
  'JSON that is none': translation(ENCODE, 'BAD_JSON'),
  'JSON of an unknown type': translation(ENCODE, '{}', { type: 'test.None' }),
  'JSON that is too long': translation(ENCODE, 'x'.repeat(MAX_BODY + 1)),
  'JSON that never arrives': unfinished(ENCODE, 'Accept: */*'),
  'two configurations': computation('a', 'b'),
  'two equal configurations': computation('a', 'a'),
  'a channel that is no text': computation('a', 'b', Buffer.from([0xff])),
  'configurations that are too long': computation('a', 'b'.repeat(MAX_BODY)),
  'configurations that never arrive': unfinished(COMPUTE, FORM),
  'the health': plain('GET /healthz'),
  'the health without a body': plain('HEAD /healthz'),
  'the version': plain('GET /version'),
  'the version without a body': plain('HEAD /version'),
  'an unknown path': plain('GET /nothing-here'),
  'a path that is not clean': plain('GET //healthz'),
  'a method that is not supported': plain('PUT /healthz'),
  'an expectation that cannot be met': plain('GET /version', ['Expect: miracles']),
  'a request without a host': { path: '/version', sent: 'GET /version HTTP/1.1\r\n\r\n' },
  'a request that is no HTTP': { path: '/', sent: 'garbage\r\n\r\n' },
  'a header that is too long': plain('GET /version', [`X-Long: ${'x'.repeat(70_000)}`]),
  'a header that never ends': { path: '/version', sent: 'GET /version HTTP/1.1\r\nHost: x\r\n' },
  'another version of HTTP': { path: '/version', sent: 'GET /version HTTP/3.7\r\nHost: x\r\n\r\n' },
  'a fault of ours': translation(DECODE, 'crash'),
  'a page that asks first': { ...plain('OPTIONS /version', PREFLIGHT), cors: true },
  'a page that asks for headers': {
    ...plain('OPTIONS /version', [...PREFLIGHT, 'Access-Control-Request-Headers: Content-Type']),
    cors: true,
  },
  'a page that asks for other headers': {
    ...plain('OPTIONS /version', [...PREFLIGHT, 'Access-Control-Request-Headers: X-Any']),
    cors: true,
  },
};

const seen = new Set<string>();

for (const [what, { path, sent, cors = false }] of Object.entries(CASES))
  test(`${what} gets an answer that is described`, async (t) => {
    const origins = cors ? [PAGE, 'https://other.example'] : [];
    const { port } = await startTranslator(t, { maxBody: MAX_BODY, origins });
    const method = /^[A-Z]+/.exec(sent.toString('latin1'))?.[0] ?? '';

    const answers = parseAnswers((await exchangeRaw(port, sent, WAIT)).bytes, [method]);

    t.is(answers.length, 1);
    for (const answer of answers) {
      seen.add(api.keyOf({ method, path, answer }));
      t.deepEqual(api.problems({ method, path, answer }), [], `${answer.status}`);
    }
  });

test.after('every answer that is described was given', (t) => {
  t.deepEqual(
    api.described.filter((key) => !seen.has(key)),
    [],
  );
});
