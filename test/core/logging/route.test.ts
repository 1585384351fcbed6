// `/logspec`: the input of PUT, the messages for invalid input, and that a rejected request changes nothing.

import test from 'ava';
import { startAgent } from '../../helpers/agent.js';
import { QUIET } from '../../helpers/quiet-backend.js';
import { sendRequest, exchangeRaw, parseResponses } from '../../helpers/raw-http.js';

const BEFORE = 'gossip=debug:fatal';
const EXPECTED = 'expected a JSON object with one attribute, "spec", a string, such as {"spec":"info"}; ';

function put(body: string | Buffer, headers = ''): Buffer {
  const bytes = Buffer.from(body as string);
  const head = `PUT /logspec HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}Content-Length: ${bytes.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), bytes]);
}

const ACCEPTED: Readonly<Record<string, string>> = {
  '{"spec":"info"}': 'info',
  '{"spec":""}': 'info',
  ' \r\n\t{ "spec" : "a=warning:debug" } \n': 'a=warn:debug',
  '{"sp\\u0065c":"\\u0064ebug"}': 'debug',
  '{"spec":"payload"}': 'payload',
  [`{"spec":"${'a'.repeat(60_000)}=debug"}`]: `${'a'.repeat(60_000)}=debug:info`,
};
for (const [body, spec] of Object.entries(ACCEPTED)) {
  test(`PUT ${JSON.stringify(body.slice(0, 60))} is accepted`, async (t) => {
    const { agent, port } = await startAgent(t, { 'logging.spec': BEFORE, plugins: QUIET });
    const [response] = await sendRequest(port, put(body));
    t.is(response?.status, 204);
    t.is(response?.headers.get('content-length'), undefined);
    t.is(response?.headers.get('content-type'), undefined);
    t.is(await agent.logging.spec(), spec);
    const [shown] = await sendRequest(
      port,
      'GET /logspec HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    t.is(shown?.body, `{"spec":"${spec}"}\n`);
  });
}

const REJECTED: Readonly<Record<string, string>> = {
  '': `${EXPECTED}the body is empty`,
  ' \n': `${EXPECTED}the body is empty`,
  null: `${EXPECTED}the body is null`,
  '[]': `${EXPECTED}the body is an array`,
  '"info"': `${EXPECTED}the body is a string`,
  '5': `${EXPECTED}the body is a number`,
  true: `${EXPECTED}the body is a boolean`,
  '{}': `${EXPECTED}the attribute "spec" is missing`,
  '{"Spec":"debug"}': `${EXPECTED}the attribute "spec" is missing`,
  '{"__proto__":{"spec":"debug"}}': `${EXPECTED}the attribute "spec" is missing`,
  '{"spec":null}': `${EXPECTED}the attribute "spec" is null`,
  '{"spec":5}': `${EXPECTED}the attribute "spec" is a number`,
  '{"spec":true}': `${EXPECTED}the attribute "spec" is a boolean`,
  '{"spec":["debug"]}': `${EXPECTED}the attribute "spec" is an array`,
  '{"spec":{}}': `${EXPECTED}the attribute "spec" is an object`,
  '{"spec":"info","x":1}': `${EXPECTED}unknown attribute "x"`,
  [`{"spec":"info","${'x'.repeat(101)}":1}`]: `${EXPECTED}unknown attribute "${'x'.repeat(100)}"`,
  '{"spec":"info","__proto__":1}': `${EXPECTED}unknown attribute "__proto__"`,
  '{"spec":"info","<b>":1}': `${EXPECTED}unknown attribute "<b>"`,
  '{"spec":"debug","spec":"warn"}': `${EXPECTED}duplicate attribute "spec"`,
  '{"spec":5,"spec":"warn"}': `${EXPECTED}duplicate attribute "spec"`,
  '{"spec":"debug","\\u0073pec":"warn"}': `${EXPECTED}duplicate attribute "spec"`,
  '{"spec":"debug"} garbage': `${EXPECTED}the body is not valid JSON`,
  '{"spec":"de': `${EXPECTED}the body is not valid JSON`,
  "{'spec':'debug'}": `${EXPECTED}the body is not valid JSON`,
  'spec=debug': `${EXPECTED}the body is not valid JSON`,
  '\ufeff{"spec":"debug"}': `${EXPECTED}the body is not valid JSON`,
  ['['.repeat(60_000)]: `${EXPECTED}the body is not valid JSON`,
  '{"spec":"a=b"}': "invalid logging specification 'a=b': bad segment 'a=b'",
  '{"spec":"\\ud800"}': "invalid logging specification '\ufffd': bad segment '\ufffd'",
};
for (const [body, error] of Object.entries(REJECTED)) {
  test(`PUT ${JSON.stringify(body.slice(0, 60))} is rejected and changes nothing`, async (t) => {
    const { agent, port } = await startAgent(t, { 'logging.spec': BEFORE, plugins: QUIET });
    const [response] = await sendRequest(port, put(body));
    t.is(response?.status, 400);
    t.is(response?.headers.get('content-type'), 'application/json');
    t.deepEqual(JSON.parse(response?.body ?? ''), { error });
    t.true(response?.body.endsWith('}\n'));
    t.is(await agent.logging.spec(), BEFORE);
  });
}

const GOOD = '{"spec":"debug"}';
const UTF16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(GOOD, 'utf16le')]);
for (const [what, request, status] of [
  ['in UTF-16', put(UTF16), 400],
  ['with a Content-Encoding', put(GOOD, 'Content-Encoding: gzip\r\n'), 400],
  ['of more than the limit', put(`{"spec":"debug"${' '.repeat(70_000)}}`), 413],
  ['of several megabytes', put(`{"spec":"debug"${' '.repeat(3_000_000)}}`), 413],
  ['with an unknown Expect header', put(GOOD, 'Expect: x\r\n'), 417],
  ['for another path', put(GOOD).toString().replace('/logspec', '/logspec/'), 404],
  ['with another method', put(GOOD).toString().replace('PUT', 'POST'), 405],
  ['without a host', put(GOOD).toString().replace('Host: localhost\r\n', ''), 400],
] as const) {
  test(`a specification ${what} gets ${status} and changes nothing`, async (t) => {
    const { agent, port } = await startAgent(t, { 'logging.spec': BEFORE, plugins: QUIET });
    const [response] = await sendRequest(port, request);
    t.is(response?.status, status);
    t.is(await agent.logging.spec(), BEFORE);
  });
}

for (const [what, body] of Object.entries({
  'is truncated after a complete document': `Content-Length: 100\r\n\r\n${GOOD}`,
  'has an invalid chunk after a complete document': `Transfer-Encoding: chunked\r\n\r\n10\r\n${GOOD}\r\nzz\r\n\r\n`,
})) {
  test(`a body that ${what} changes nothing`, async (t) => {
    const { agent, port } = await startAgent(t, { 'logging.spec': BEFORE, plugins: QUIET });
    const { bytes } = await exchangeRaw(port, (socket) =>
      socket.end(`PUT /logspec HTTP/1.1\r\nHost: localhost\r\n${body}`),
    );
    t.deepEqual(
      parseResponses(bytes).map(({ status }) => status),
      [400],
    );
    t.is(await agent.logging.spec(), BEFORE);
  });
}

test('concurrent changes all succeed, and one of them is active afterwards', async (t) => {
  const { agent, port } = await startAgent(t, { 'logging.spec': BEFORE, plugins: QUIET });
  const specs = Array.from({ length: 20 }, (_, index) => `a${index}=debug:info`);
  const responses = await Promise.all(specs.map((spec) => sendRequest(port, put(JSON.stringify({ spec })))));
  t.true(responses.every(([response]) => response?.status === 204));
  t.true(specs.includes(await agent.logging.spec()));
});
