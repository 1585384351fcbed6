import test from 'ava';
import { MAX_REQUEST_ID_LENGTH } from '../../../core/http/limits.js';
import { exchangeRaw, parseAnswers, type ParsedAnswer } from '../../helpers/raw-http.js';
import { startServer } from '../../helpers/server.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

async function askWith(port: number, headers: string, path = '/ok'): Promise<ParsedAnswer | undefined> {
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`;
  return parseAnswers((await exchangeRaw(port, Buffer.from(request, 'latin1'))).bytes)[0];
}

const ECHOED: Readonly<Record<string, readonly [string, string]>> = {
  'an id': ['X-Request-Id: abc-123\r\n', 'abc-123'],
  'an id under a name in other case': ['x-REQUEST-id: abc\r\n', 'abc'],
  'an id with blanks around it': ['X-Request-Id: \t sp aced \t \r\n', 'sp aced'],
  'the first of two ids': ['X-Request-Id: first\r\nX-Request-Id: second\r\n', 'first'],
  'an id with a comma': ['X-Request-Id: a, b\r\n', 'a, b'],
  'an id that is not ASCII, byte for byte': ['X-Request-Id: \xe9\xff\x80\r\n', '\xe9\xff\x80'],
  'an id in UTF-8, byte for byte': ['X-Request-Id: \xc3\xa9\r\n', '\xc3\xa9'],
  'an id of HTML': ['X-Request-Id: <script>"&\r\n', '<script>"&'],
  'an id with a tab': ['X-Request-Id: a\tb\r\n', 'a\tb'],
  'the beginning of a long id': [
    `X-Request-Id: ${'a'.repeat(10_000)}\r\n`,
    'a'.repeat(MAX_REQUEST_ID_LENGTH),
  ],
};

for (const [what, [headers, id]] of Object.entries(ECHOED)) {
  test(`${what} is echoed`, async (t) => {
    const { port } = await startServer(t);
    const answer = await askWith(port, headers);
    t.is(answer?.status, 200);
    t.is(answer?.headers.get('x-request-id'), id);
    t.is(answer?.body, '{"ok":true}');
  });
}

for (const [what, headers] of Object.entries({
  'no id': '',
  'an empty id': 'X-Request-Id:\r\n',
  'an id of blanks': 'X-Request-Id:   \r\n',
  'two ids of which the first is empty': 'X-Request-Id:\r\nX-Request-Id: second\r\n',
})) {
  test(`a request with ${what} gets a new one, another each time`, async (t) => {
    const { port } = await startServer(t);
    const ids = [await askWith(port, headers), await askWith(port, headers)].map(
      (answer) => answer?.headers.get('x-request-id') ?? '',
    );
    for (const id of ids) t.regex(id, UUID);
    t.not(ids[0], ids[1]);
  });
}

for (const [what, path, status] of [
  ['a path that does not exist', '/nope', 404],
  ['a path to be cleaned', '//ok', 301],
  ['a path that cannot be read', '/%zz', 400],
] as const) {
  test(`the answer to ${what} carries the id too`, async (t) => {
    const { port } = await startServer(t);
    const answer = await askWith(port, 'X-Request-Id: abc\r\n', path);
    t.is(answer?.status, status);
    t.is(answer?.headers.get('x-request-id'), 'abc');
  });
}

test('an id with a control character is refused with the request', async (t) => {
  const { port } = await startServer(t);
  for (const id of ['a\0b', 'a\x01b', 'a\x7fb', 'a\rb']) {
    const answer = await askWith(port, `X-Request-Id: ${id}\r\n`);
    t.is(answer?.status, 400, JSON.stringify(id));
    t.regex(answer?.headers.get('x-request-id') ?? '', UUID);
  }
});
