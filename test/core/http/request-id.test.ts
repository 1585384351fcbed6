import test from 'ava';
import { MAX_REQUEST_ID_LENGTH } from '../../../core/http/limits.js';
import { exchangeRaw, parseResponses, type ParsedResponse } from '../../helpers/raw-http.js';
import { startServer } from '../../helpers/server.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function sendWith(port: number, headers: string, path = '/ok'): Promise<ParsedResponse | undefined> {
  const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`;
  return parseResponses((await exchangeRaw(port, Buffer.from(request, 'latin1'))).bytes)[0];
}

const ECHOED: Readonly<Record<string, readonly [string, string]>> = {
  'an id': ['X-Request-Id: abc-123\r\n', 'abc-123'],
  'an id in a header with a name in other case': ['x-REQUEST-id: abc\r\n', 'abc'],
  'an id with whitespace around it': ['X-Request-Id: \t sp aced \t \r\n', 'sp aced'],
  'the first of two ids': ['X-Request-Id: first\r\nX-Request-Id: second\r\n', 'first'],
  'an id with a comma': ['X-Request-Id: a, b\r\n', 'a, b'],
  'an id that is not ASCII': ['X-Request-Id: \xe9\xff\x80\r\n', '\xe9\xff\x80'],
  'an id in UTF-8': ['X-Request-Id: \xc3\xa9\r\n', '\xc3\xa9'],
  'an id with HTML': ['X-Request-Id: <script>"&\r\n', '<script>"&'],
  'an id with a tab': ['X-Request-Id: a\tb\r\n', 'a\tb'],
  'the start of a long id': [`X-Request-Id: ${'a'.repeat(10_000)}\r\n`, 'a'.repeat(MAX_REQUEST_ID_LENGTH)],
};

for (const [what, [headers, id]] of Object.entries(ECHOED)) {
  test(`${what} is echoed`, async (t) => {
    const { port } = await startServer(t);
    const response = await sendWith(port, headers);
    t.is(response?.status, 200);
    t.is(response?.headers.get('x-request-id'), id);
    t.is(response?.body, '{"ok":true}');
  });
}

for (const [what, headers] of Object.entries({
  'no id': '',
  'an empty id': 'X-Request-Id:\r\n',
  'an id of spaces': 'X-Request-Id:   \r\n',
  'two ids of which the first is empty': 'X-Request-Id:\r\nX-Request-Id: second\r\n',
})) {
  test(`a request with ${what} gets a new id each time`, async (t) => {
    const { port } = await startServer(t);
    const ids = [await sendWith(port, headers), await sendWith(port, headers)].map(
      (response) => response?.headers.get('x-request-id') ?? '',
    );
    for (const id of ids) t.regex(id, UUID);
    t.not(ids[0], ids[1]);
  });
}

for (const [what, path, status] of [
  ['an unknown path', '/nope', 404],
  ['an open path', '/ok', 200],
  ['a target that is not a path', 'ftp://x/ok', 400],
] as const) {
  test(`the response to ${what} has the id`, async (t) => {
    const { port } = await startServer(t);
    const response = await sendWith(port, 'X-Request-Id: abc\r\n', path);
    t.is(response?.status, status);
    t.is(response?.headers.get('x-request-id'), 'abc');
  });
}

test('a request whose id has a control character is refused', async (t) => {
  const { port } = await startServer(t);
  for (const id of ['a\0b', 'a\x01b', 'a\x7fb', 'a\rb']) {
    const response = await sendWith(port, `X-Request-Id: ${id}\r\n`);
    t.is(response?.status, 400, JSON.stringify(id));
  }
});
