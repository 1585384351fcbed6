// The common parts of notifiers, and the requests to receivers.

import { readFileSync } from 'node:fs';
import type { IncomingMessage, RequestListener } from 'node:http';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { AgentError, LeveledLoggers, type AgentEvent } from '../../../core/contract/index.js';
import {
  agentName,
  eventDocument,
  ReceiverClient,
  runbookUrl,
  scheduleOf,
  type ReceiverOptions,
} from '../../../core/kit/notifier.js';
import { engineOnPort, engineOverTls } from '../../helpers/engine.js';
import { TestCa } from '../../helpers/certificates.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { freePort } from '../../helpers/free-port.js';
import { PATIENCE } from '../../helpers/patience.js';
import { until } from '../../helpers/until.js';

const OPTIONS = {
  events: 'critical',
  groupFor: 1,
  repeat: 2,
  heartbeat: 3,
  agent: 'host1',
  runbook: 'https://d/r',
} as const;
const EVENT: AgentEvent = {
  id: 'a',
  state: 'failed',
  severity: 'critical',
  component: 'a',
  reason: 'r',
  since: Date.UTC(2026, 0, 2),
  runbook: 'FabricNodeDown',
  fields: {},
};

test('the option heartbeat is the interval of heartbeats', (t) => {
  t.deepEqual(scheduleOf(OPTIONS), { events: 'critical', groupFor: 1, repeat: 2, heartbeat: 3 });
});

test('without a name in its options a notifier has the name of the agent', (t) => {
  t.is(agentName(OPTIONS, { agent: 'own' }), 'host1');
  t.is(agentName({ ...OPTIONS, agent: '' }, { agent: 'own' }), 'own');
});

for (const [what, runbook, section, link] of [
  ['both', 'https://d/r', 'FabricNodeDown', 'https://d/r#fabricnodedown'],
  ['no section', 'https://d/r', undefined, undefined],
  ['no runbook', '', 'FabricNodeDown', undefined],
] as const)
  test(`with ${what} the link of an event is ${link}`, (t) => {
    const { runbook: _runbook, ...event } = EVENT;
    const given = { ...event, ...(section !== undefined && { runbook: section }) };
    t.is(runbookUrl({ ...OPTIONS, runbook }, given), link);
    t.deepEqual(eventDocument({ ...OPTIONS, runbook }, given, { agent: 'own' }), {
      ...event,
      since: '2026-01-02T00:00:00.000Z',
      agent: 'host1',
      runbook: link,
    });
  });

const log = new LeveledLoggers({ write: () => undefined }).logger('plugins.test');
const never = (): AbortSignal => new AbortController().signal;

/** A client of a receiver; it is closed at the end of the test. */
function clientWith(t: ExecutionContext, options: Partial<ReceiverOptions> = {}): ReceiverClient {
  const client = new ReceiverClient(
    { authorizationFile: '', ca: '', cert: '', key: '', timeout: PATIENCE, ...options },
    log,
  );
  t.teardown(() => client.close());
  return client;
}

/** The code and the message of an error; without a code it is unclear whether the receiver has accepted the document. */
async function failureOf(sent: Promise<void>): Promise<readonly [code: string, message: string] | undefined> {
  try {
    await sent;
    return undefined;
  } catch (error) {
    return [error instanceof AgentError ? error.code : 'unclear', (error as Error).message];
  }
}

const [REFUSED, NOT_ACCEPTED] = ['NOTIFICATION_REFUSED', 'NOTIFICATION_NOT_ACCEPTED'];
for (const [status, code] of [
  [200, undefined],
  [299, undefined],
  [300, NOT_ACCEPTED],
  [399, NOT_ACCEPTED],
  [400, REFUSED],
  [401, NOT_ACCEPTED],
  [402, REFUSED],
  [403, NOT_ACCEPTED],
  [404, NOT_ACCEPTED],
  [405, REFUSED],
  [408, NOT_ACCEPTED],
  [409, REFUSED],
  [425, NOT_ACCEPTED],
  [426, REFUSED],
  [429, NOT_ACCEPTED],
  [430, REFUSED],
  [499, REFUSED],
  [500, 'unclear'],
  [502, 'unclear'],
  [503, NOT_ACCEPTED],
  [504, 'unclear'],
] as const)
  test(`a receiver that responds with ${status}: ${code ?? 'accepted'}`, async (t) => {
    const address = await engineOnPort(t, (_request, response) => {
      response.statusCode = status;
      response.end('why\u202e');
    });
    const found = await failureOf(clientWith(t).post(`http://${address}/s3cret-path`, {}, never()));
    const message = String.raw`POST http://${address}: HTTP status ${status}: why\u202e`;
    t.deepEqual(found, code === undefined ? undefined : [code, message]);
  });

test('a document is sent as JSON with its length in bytes, and with the header of the file, read for each request', async (t) => {
  const found: unknown[] = [];
  const address = await engineOnPort(t, ({ method, url, headers }: IncomingMessage, response) => {
    const { 'content-type': type, 'content-length': length, authorization } = headers;
    found.push([method, url, type, length, authorization]);
    response.end();
  });
  const folder = temporaryFolder(t, { key: 'Bearer one\n' });
  await clientWith(t).post(`http://${address}/a?b=c`, { text: 'é' }, never());
  const authorizationFile = join(folder, 'key');
  await clientWith(t, { authorizationFile }).post(`http://${address}/`, [], never());
  t.deepEqual(found, [
    ['POST', '/a?b=c', 'application/json', '13', undefined],
    ['POST', '/', 'application/json', '2', 'Bearer one'],
  ]);
});

test('a document whose authorization cannot be read is not sent', async (t) => {
  let requests = 0;
  const address = await engineOnPort(t, (_request, response) => {
    requests += 1;
    response.end();
  });
  const client = clientWith(t, { authorizationFile: '/no/such/file' });
  t.deepEqual(await failureOf(client.post(`http://${address}/`, {}, never())), [
    NOT_ACCEPTED,
    'options.authorizationFile: /no/such/file: no such file',
  ]);
  t.is(requests, 0);
});

test('a receiver that cannot be reached, or whose certificate is not trusted, has certainly not accepted a document', async (t) => {
  const closed = `http://127.0.0.1:${await freePort()}`;
  t.deepEqual(await failureOf(clientWith(t).post(`${closed}/s3cret`, {}, never())), [
    NOT_ACCEPTED,
    `POST ${closed}: connection refused`,
  ]);
  const ca = new TestCa(temporaryFolder(t), 'ca');
  const leaf = ca.issue('server', 'serverAuth');
  const files = { cert: readFileSync(leaf.cert), key: readFileSync(leaf.key) };
  const address = await engineOverTls(t, files);
  t.deepEqual(await failureOf(clientWith(t).post(`https://${address}/`, {}, never())), [
    NOT_ACCEPTED,
    `POST https://${address}: its certificate is not signed by a trusted CA`,
  ]);
  t.is(await failureOf(clientWith(t, { ca: ca.cert }).post(`https://${address}/`, {}, never())), undefined);
});

const breaking: RequestListener = ({ socket }) => socket.resetAndDestroy();
test('whether a receiver has accepted a document is unclear if the connection is lost, or the response is late', async (t) => {
  const lost = await engineOnPort(t, breaking);
  t.deepEqual(await failureOf(clientWith(t).post(`http://${lost}/`, {}, never())), [
    'unclear',
    `POST http://${lost}: the connection was closed without a response`,
  ]);
  const late = await engineOnPort(t, () => undefined);
  t.deepEqual(await failureOf(clientWith(t, { timeout: 50 }).post(`http://${late}/`, {}, never())), [
    'unclear',
    `POST http://${late}: the request took longer than 0.05s`,
  ]);
});

test('requests to one URL share a connection, and one to another URL closes it, as does the end', async (t) => {
  let closed = 0;
  const ports: (number | undefined)[] = [];
  const address = await engineOnPort(t, ({ socket }, response) => {
    if (!ports.includes(socket.remotePort)) socket.once('close', () => (closed += 1));
    ports.push(socket.remotePort);
    response.end();
  });
  const client = clientWith(t);
  for (const path of ['a', 'a', 'b']) await client.post(`http://${address}/${path}`, {}, never());
  t.is(ports[0], ports[1]);
  t.not(ports[1], ports[2]);
  await until(() => closed === 1);
  client.close();
  await until(() => closed === 2);
  await client.post(`http://${address}/b`, {}, never());
  t.is(new Set(ports).size, 3);
});

test('secrets in a document are not in the reason of a receiver that repeats it', async (t) => {
  const address = await engineOnPort(t, (request, response) => {
    response.statusCode = 400;
    request.pipe(response);
  });
  t.deepEqual(
    await failureOf(clientWith(t).post(`http://${address}/`, { key: 'R0UT1NG' }, never(), ['R0UT1NG'])),
    [REFUSED, `POST http://${address}: HTTP status 400: {"key":"…"}`],
  );
});
