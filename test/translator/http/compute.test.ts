// Computing updates over HTTP, by the table of Fabric's configtxlator, and unusual forms.

import test from 'ava';
import { exchangeRaw, parseResponses, sendRequest } from '../../helpers/raw-http.js';
import { BOUNDARY, rawRequest, startTranslator, writeForm, type Part } from '../../helpers/translator.js';

const PATH = '/configtxlator/compute/update-from-configs';
const FORM_TYPE = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;
const READING = "Error with field 'original': error reading field bytes";
const NO_FILE = 'http: no such file';
const NOT_A_FORM = `${READING}: request Content-Type isn't multipart/form-data`;
const NO_BOUNDARY = `${READING}: no multipart boundary param in Content-Type`;
const BAD_BYTES = 'error unmarshalling field bytes: proto: cannot parse invalid wire-format data';

const original: Part = { name: 'original', filename: 'original.pb', content: 'a' };
const updated: Part = { name: 'updated', filename: 'updated.pb', content: 'b' };
const channel: Part = { name: 'channel', content: 'ch' };
const complete = writeForm([original, updated, channel]);

interface Case {
  readonly title: string;
  readonly type?: string;
  readonly body: Buffer | string;
  readonly query?: string;
  readonly status: number;
  /** Of an error: without its newline. */
  readonly text: string;
}

const form = (title: string, parts: readonly Part[], status: number, text: string, query = ''): Case => ({
  title,
  body: writeForm(parts),
  query,
  status,
  text,
});
const typed = (type: string, text: string): Case => ({
  title: `the type ${JSON.stringify(type)}`,
  type,
  body: complete,
  status: text === 'ch: a > b' ? 200 : 400,
  text,
});
const truncated = (title: string, body: Buffer | string, text: string): Case => ({
  title,
  body,
  status: 400,
  text: `${READING}: ${text}`,
});

const afterFirst = complete.indexOf('a\r\n--') + 1;
const CASES: readonly Case[] = [
  form('all parts', [original, updated, channel], 200, 'ch: a > b'),
  form('reordered parts', [channel, updated, original], 200, 'ch: a > b'),
  form('no channel', [original, updated], 200, ': a > b'),
  form('an empty channel', [original, updated, { name: 'channel', content: '' }], 200, ': a > b'),
  form('a channel in the query', [original, updated], 200, 'q: a > b', '?channel=q'),
  form(
    'a channel in query and form',
    [original, updated, channel],
    200,
    'q: a > b',
    '?x=1&channel=q&channel=r',
  ),
  form('an empty channel in the query', [original, updated, channel], 200, ': a > b', '?channel='),
  form(
    'an escaped channel in the query',
    [original, updated],
    200,
    'a b/ü: a > b',
    '?ch%61nnel=a+b%2f%c3%bc',
  ),
  form('an empty query', [original, updated, channel], 200, 'ch: a > b', '?'),
  form('a channel with a file name', [original, updated, { ...channel, filename: 'f' }], 200, ': a > b'),
  form('1000 parts', [original, updated, ...Array.from({ length: 998 }, () => channel)], 200, 'ch: a > b'),
  form('two originals', [original, { ...original, content: 'z' }, updated, channel], 200, 'ch: a > b'),
  form('two channels', [original, updated, channel, { ...channel, content: 'z' }], 200, 'ch: a > b'),
  form(
    'a value and a file of one name',
    [{ name: 'original', content: 'z' }, original, updated, channel],
    200,
    'ch: a > b',
  ),
  form(
    'unknown parts',
    [
      { name: '__proto__', content: 'z' },
      original,
      { content: 'z' },
      updated,
      channel,
      { name: 'x', filename: 'f', content: '' },
    ],
    200,
    'ch: a > b',
  ),
  form('a file name that is a path', [{ ...original, filename: '/' }, updated, channel], 200, 'ch: a > b'),
  form('no original', [updated, channel], 400, `${READING}: ${NO_FILE}`),
  form('no part', [], 400, `${READING}: ${NO_FILE}`),
  form(
    'an original without file name',
    [{ name: 'original', content: 'a' }, updated],
    400,
    `${READING}: ${NO_FILE}`,
  ),
  form(
    'an original with an empty file name',
    [{ ...original, filename: '' }, updated],
    400,
    `${READING}: ${NO_FILE}`,
  ),
  form(
    'no updated',
    [original, channel],
    400,
    `Error with field 'updated': error reading field bytes: ${NO_FILE}`,
  ),
  form(
    'an updated without file name',
    [original, { name: 'updated', content: 'b' }],
    400,
    `Error with field 'updated': error reading field bytes: ${NO_FILE}`,
  ),
  form(
    'an original that is not a message',
    [{ ...original, content: 'bad' }, updated],
    400,
    `Error with field 'original': ${BAD_BYTES}`,
  ),
  form(
    'an original that is not a message, and no updated',
    [{ ...original, content: 'bad' }],
    400,
    `Error with field 'original': ${BAD_BYTES}`,
  ),
  form(
    'an empty original, and no updated',
    [{ ...original, content: '' }],
    400,
    `Error with field 'updated': error reading field bytes: ${NO_FILE}`,
  ),
  form(
    'an empty original, and an updated that is not a message',
    [
      { ...original, content: '' },
      { ...updated, content: 'bad' },
    ],
    400,
    `Error with field 'updated': ${BAD_BYTES}`,
  ),
  form(
    'an updated that is not a message',
    [original, { ...updated, content: 'bad' }],
    400,
    `Error with field 'updated': ${BAD_BYTES}`,
  ),
  form(
    'an empty original',
    [{ ...original, content: '' }, updated],
    400,
    'Error computing update: no channel group included for original config',
  ),
  form(
    'an empty updated',
    [original, { ...updated, content: '' }],
    400,
    'Error computing update: no channel group included for updated config',
  ),
  form(
    'no differences',
    [original, { ...updated, content: 'a' }],
    400,
    'Error computing update: no differences detected between original and updated config',
  ),
  form(
    'a channel that is not UTF-8',
    [original, updated, { name: 'channel', content: Buffer.from([0xff]) }],
    500,
    'Error marshaling config update: string field contains invalid UTF-8',
  ),
  form(
    'a channel in the query that is not UTF-8',
    [original, updated],
    500,
    'Error marshaling config update: string field contains invalid UTF-8',
    '?channel=%ff',
  ),
  form(
    'a channel that is not UTF-8, and no differences',
    [original, { ...updated, content: 'a' }],
    400,
    'Error computing update: no differences detected between original and updated config',
    '?channel=%ff',
  ),
  form('an internal error', [{ ...original, content: 'crash' }, updated], 500, 'internal error'),
  {
    title: 'a long part without Content-Disposition',
    body: Buffer.from(
      writeForm([original, { name: 'x', content: 'z'.repeat(100_000) }, updated, channel])
        .toString()
        .replace('Content-Disposition: form-data; name="x"', 'X: y'),
    ),
    status: 200,
    text: 'ch: a > b',
  },
  {
    title: 'text before the first boundary',
    body: Buffer.concat([Buffer.from('preamble\r\n'), complete]),
    status: 200,
    text: 'ch: a > b',
  },
  {
    title: 'text after the last boundary',
    body: Buffer.concat([complete, Buffer.from('epilogue\r\n')]),
    status: 200,
    text: 'ch: a > b',
  },
  typed(`Multipart/Form-Data ; Boundary="${BOUNDARY}"; charset=utf-8;`, 'ch: a > b'),
  typed('', NOT_A_FORM),
  typed('application/x-www-form-urlencoded', NOT_A_FORM),
  typed('application/json', NOT_A_FORM),
  typed('application/octet-stream', NOT_A_FORM),
  typed(`multipart/mixed; boundary=${BOUNDARY}`, NOT_A_FORM),
  typed(`multipart/form-data-x; boundary=${BOUNDARY}`, NOT_A_FORM),
  typed(`multipart/form-data boundary=${BOUNDARY}`, NOT_A_FORM),
  typed('multipart/form-data', NO_BOUNDARY),
  typed('multipart/form-data; charset=utf-8', NO_BOUNDARY),
  typed('multipart/form-data; boundary="a', NO_BOUNDARY),
  typed('multipart/form-data; boundary=""', NO_BOUNDARY),
  typed(`multipart/form-data; boundary=${'b'.repeat(71)}`, NO_BOUNDARY),
  typed('multipart/form-data; boundary=other', `${READING}: multipart: NextPart: EOF`),
  truncated('an empty body', '', 'multipart: NextPart: EOF'),
  truncated('a body without boundary', 'a=b', 'multipart: NextPart: EOF'),
  truncated(
    'a body truncated before the last boundary',
    complete.subarray(0, -BOUNDARY.length - 6),
    'unexpected EOF',
  ),
  truncated('a body truncated within the last boundary', complete.subarray(0, -6), 'unexpected EOF'),
  truncated('a body truncated within the first part', complete.subarray(0, afterFirst), 'unexpected EOF'),
  truncated(
    'a body truncated after the first boundary',
    complete.subarray(0, BOUNDARY.length + 4),
    'unexpected EOF',
  ),
  truncated(
    'a body truncated within the first header',
    complete.subarray(0, BOUNDARY.length + 20),
    'unexpected EOF',
  ),
  truncated(
    'a body truncated within the second header',
    complete.subarray(0, afterFirst + BOUNDARY.length + 30),
    'unexpected EOF',
  ),
  truncated(
    'an unknown part that is truncated',
    writeForm([original, updated, { name: 'x', content: 'zzzz' }]).subarray(0, -BOUNDARY.length - 8),
    'unexpected EOF',
  ),
  {
    title: 'lines that end in LF only',
    body: complete.toString().replaceAll('\r\n', '\n'),
    status: 400,
    text: `${READING}: multipart: NextPart: EOF`,
  },
  truncated(
    'more than 1000 parts',
    writeForm([original, updated, ...Array.from({ length: 999 }, () => channel)]),
    'multipart: message too large',
  ),
];

for (const { title, type, body, query = '', status, text } of CASES) {
  test(`a form with ${title} is ${status}: ${text}`, async (t) => {
    const { port } = await startTranslator(t);
    const header = type === undefined ? [FORM_TYPE] : type === '' ? [] : [`Content-Type: ${type}`];
    const [response] = await sendRequest(port, rawRequest(`POST ${PATH}${query}`, header, body));
    t.is(response?.body, status === 200 ? text : `${text}\n`);
    t.is(response?.status, status);
    t.is(response?.headers.get('content-type'), status === 200 ? 'application/octet-stream' : 'text/plain');
    t.is(response?.headers.get('content-length'), String(Buffer.byteLength(response?.body ?? '')));
  });
}

test('a form truncated at any byte is 400', async (t) => {
  const { port } = await startTranslator(t);
  for (let length = 0; length < complete.length - 4; length += 1) {
    const [response] = await sendRequest(
      port,
      rawRequest(`POST ${PATH}`, [FORM_TYPE], complete.subarray(0, length)),
    );
    t.is(response?.status, 400, `truncated after ${length} bytes: ${response?.body ?? ''}`);
  }
});

test('a client that closes its sending side after the form receives the update', async (t) => {
  const { port } = await startTranslator(t);
  const request = rawRequest(`POST ${PATH}`, [FORM_TYPE], complete);
  const { bytes } = await exchangeRaw(port, (socket) => socket.end(request));
  t.is(parseResponses(bytes)[0]?.body, 'ch: a > b');
});

test('files arrive byte for byte', async (t) => {
  const seen: Buffer[] = [];
  const { port } = await startTranslator(t, {
    operations: {
      decode: () => [],
      encode: (_, json) => json,
      computeUpdate: async (...configs) => {
        seen.push(...configs.slice(0, 2).map((bytes) => Buffer.from(bytes as Uint8Array)));
        return Buffer.from('done');
      },
    },
  });
  const files = [1, 3].map((step) =>
    Buffer.from(Uint8Array.from({ length: 15_000 }, (_, index) => index * step)),
  );
  const [first = Buffer.alloc(0), second = Buffer.alloc(0)] = files;
  // Ends with bytes that resemble the boundary.
  const tricky = Buffer.concat([first, Buffer.from(`\r\n--\r\n--b0undar\r\n--B0UNDARY--\r\r\n\n`)]);
  const body = writeForm([
    { ...original, content: tricky },
    { ...updated, content: second },
  ]);
  const [response] = await sendRequest(port, rawRequest(`POST ${PATH}`, [FORM_TYPE], body));
  t.is(response?.body, 'done');
  t.true(seen[0]?.equals(tricky));
  t.true(seen[1]?.equals(second));
});
