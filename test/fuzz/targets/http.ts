// Bytes on a connection to either service: the server closes the connection, with or without a response, and continues.

import type { Socket } from 'node:net';
import { exchangeRaw, type RawResponse } from '../../helpers/raw-http.js';
import type { Random } from '../random.js';
import { SERVERS, type Input, type Outcome, type Fixtures } from '../target.js';

/**
 * Longest time until the server closes a connection after the client closed its sending side, in milliseconds. Node reports no
 * error for a malformed or truncated body after `Connection: upgrade`; such a connection closes after the body timeout.
 */
const WAIT = 15_000;
/**
 * Longest time until the server closes a connection that the client leaves open: the timeouts of a header, a body and the next
 * header, the check of timeouts every second, and the time to read the last response.
 */
const OPEN_WAIT = 35_000;

/** Time for a response before the client closes its sending side, in milliseconds. */
const RESPONSE_WAIT = 100;

/** Strings that are significant to an HTTP parser. */
export const HTTP_WORDS = [
  '\r\n',
  '\n',
  '\r',
  '\r\n\r\n',
  '\0',
  ' ',
  '\t',
  ':',
  ' HTTP/1.0',
  ' HTTP/2.0',
  ' HTTP/1.1\r\n',
  '%00',
  '%2f',
  '%',
  '%ff',
  '/../',
  '//',
  '?',
  '#',
  ';',
  '\\',
  '^',
  '[::1',
  'x:99999',
  'a',
  '-1',
  'http://x:99999/',
  'GET ',
  'HEAD ',
  'PUT ',
  'POST ',
  'CONNECT ',
  'OPTIONS ',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Content-Length: 5\r\n',
  'Content-Length: -1\r\n',
  'Content-Length: 99999999999999999999\r\n',
  'Expect: 100-continue\r\n',
  'Expect: x\r\n',
  'Connection: upgrade\r\nUpgrade: h2c\r\n',
  'Connection: close\r\n',
  'Host: \r\n',
  'Host: a\r\nHost: b\r\n',
  'X-Request-Id: \xff\r\n',
  'Origin: x\r\n',
  'Host: x\r\n',
  'Origin: http://localhost\r\n',
  'Accept: */*;q=x\r\n',
  '0\r\n\r\n',
  'fffffffff\r\n',
  '__proto__: 1\r\n',
];

const request = (line: string, headers: readonly string[] = [], body = ''): string =>
  `${[`${line} HTTP/1.1`, 'Host: localhost', ...headers].join('\r\n')}\r\n\r\n${body}`;

const LENGTH_15 = 'Content-Length: 15';
/** Requests that both services support. */
const COMMON = [
  request('GET /healthz'),
  request('HEAD /healthz', ['X-Request-Id: abc', 'Connection: close']),
  request('GET /version?x=%20&y', ['Accept: application/json;q=0.5, */*;q=0.1', 'Origin: http://a']),
  request('GET /version') + request('GET /x/../healthz'),
  'GET /healthz HTTP/1.0\r\n\r\n',
];
const OF_AGENT = [
  request('GET /metrics', ['Accept: application/openmetrics-text; version=1.0.0', 'Accept-Encoding: gzip']),
  request('HEAD /logspec'),
  request('PUT /logspec', [LENGTH_15], '{"spec":"info"}'),
  request('PUT /logspec', [LENGTH_15, 'Expect: 100-continue'], '{"spec":"info"}') + request('GET /healthz'),
  request(
    'PUT /logspec',
    ['Transfer-Encoding: chunked'],
    '5\r\n{"spe\r\na;x=y\r\nc":"info"}\r\n0\r\nX: y\r\n\r\n',
  ),
];
const OF_TRANSLATOR = [
  request('POST /protolator/decode/common.Block', ['Content-Length: 4'], '\n\x02\b\x01'),
  request('POST /protolator/encode/common.Block', ['Content-Length: 2'], '{}') + request('GET /version'),
  request('POST /protolator/encode/common.Block', ['Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n'),
  request('OPTIONS /protolator/decode/common.Block', [
    'Origin: http://a',
    'Access-Control-Request-Method: POST',
    'Access-Control-Request-Headers: content-type',
  ]),
  request(
    'POST /configtxlator/compute/update-from-configs',
    ['Content-Type: multipart/form-data; boundary=b', 'Content-Length: 63'],
    '--b\r\nContent-Disposition: form-data; name="channel"\r\n\r\nc\r\n--b--\r\n',
  ),
];

/** Requests to both services. */
export function httpSamples(): readonly Input[] {
  const inputs = (type: (typeof SERVERS)[number], requests: readonly string[]): Input[] =>
    requests.map((text) => ({ target: 'http', type, bytes: Buffer.from(text, 'latin1') }));
  return [
    ...inputs('agent', [...COMMON, ...OF_AGENT]),
    ...inputs('translator', [...COMMON, ...OF_TRANSLATOR]),
  ];
}

/** The words of a request, separated by whitespace, colons and slashes. */
const WORD = /[^\s:/]+/g;

/** Replaces one or two words of a request or inserts header lines; more results are still requests than after random mutations. */
export function mutateRequest(input: Buffer, random: Random): Buffer {
  let text = input.toString('latin1');
  for (let left = 1 + random.below(2); left > 0; left -= 1) {
    const inserted = random.pick(HTTP_WORDS);
    const isLine = inserted.endsWith('\r\n');
    const positions = [...text.matchAll(isLine ? /(?<=\r\n)(?=[A-Z])/g : WORD)];
    if (positions.length === 0) break;
    const { index, 0: found } = random.pick(positions);
    text = text.slice(0, index) + inserted + text.slice(index + found.length);
  }
  return Buffer.from(text, 'latin1');
}

/** @throws if the connection stays open, the response is malformed or 5xx, or the service stopped */
export async function runHttp({ type, bytes }: Input, { ports }: Fixtures): Promise<Outcome> {
  const port = ports.get(type) ?? 0;
  // Node sends no response after the client has closed its sending side.
  const send = (socket: Socket): void => {
    socket.write(bytes);
    const timer = setTimeout(() => socket.end(), RESPONSE_WAIT);
    socket.once('data', () => socket.end()).once('close', () => clearTimeout(timer));
  };
  const outcome = outcomeOf(await exchangeRaw(port, send, WAIT));
  await checkAlive(port);
  return outcome;
}

/**
 * Sends all inputs concurrently without closing the sending side.
 *
 * @returns a line for each input whose outcome is an error
 */
export async function problemsOfOpen(
  inputs: readonly Input[],
  { ports }: Fixtures,
): Promise<readonly string[]> {
  const problems = await Promise.all(
    inputs.map(async ({ type, bytes }) => {
      try {
        outcomeOf(await exchangeRaw(ports.get(type) ?? 0, bytes, OPEN_WAIT));
        return [];
      } catch (error) {
        return [`${type} ${bytes.toString('base64')}: ${(error as Error).message}`];
      }
    }),
  );
  for (const port of ports.values()) await checkAlive(port);
  return problems.flat();
}

function outcomeOf({ closed, bytes }: RawResponse): Outcome {
  if (!closed) throw new Error(`the connection is still open after ${JSON.stringify(bytes.slice(0, 100))}`);
  if (bytes === '') return 'refused';
  const status = Number(/^HTTP\/1\.1 ([1-5]\d\d) /.exec(bytes)?.[1] ?? 0);
  // 501 and 505 are caused by the request, any other 5xx by an error of the service.
  if (status === 0 || (status >= 500 && status !== 501 && status !== 505))
    throw new Error(`unexpected response ${JSON.stringify(bytes.slice(0, 200))}`);
  return status < 400 ? 'accepted' : 'refused';
}

async function checkAlive(port: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(WAIT) });
  await response.text();
  if (response.status !== 200) throw new Error(`/healthz is ${response.status} afterwards`);
}
