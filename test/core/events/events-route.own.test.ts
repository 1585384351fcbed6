// `/` and `/events` over real sockets.

import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { LIMITS } from '../../../core/http/limits.js';
import { startAgent, type StartedAgent } from '../../helpers/agent.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { until } from '../../helpers/until.js';
import { stopTimeouts } from '../../helpers/clock.js';

/** A message of a stream of events. */
interface Message {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

interface Listener {
  readonly messages: readonly Message[];
  readonly status: number | undefined;
  readonly isClosed: boolean;
  readonly close: () => void;
}

/** Listens like a script. */
async function listen(
  t: ExecutionContext,
  { url }: StartedAgent,
  localAddress = '127.0.0.1',
): Promise<Listener> {
  const messages: Message[] = [];
  const listener = {
    messages,
    status: undefined as number | undefined,
    isClosed: false,
    close: () => undefined,
  };
  await new Promise<void>((resolve, reject) => {
    const request = get(`${url}/events`, { agent: false, localAddress }, (response) => {
      listener.status = response.statusCode;
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        const parts = text.split('\n\n');
        text = parts.pop()!;
        for (const part of parts) {
          const [, type] = /^event: (.*)$/m.exec(part) ?? [];
          const [, data] = /^data: (.*)$/m.exec(part) ?? [];
          if (type !== undefined) messages.push({ type, data: JSON.parse(data!) as Message['data'] });
        }
      });
      response.on('close', () => (listener.isClosed = true));
      resolve();
    });
    request.on('error', reject);
    listener.close = () => void request.destroy();
    t.teardown(() => request.destroy());
  });
  return listener;
}

const typesOf = ({ messages }: Listener): readonly string[] => messages.map(({ type }) => type);

test('a script receives the state, and events with the state after them', async (t) => {
  const started = await startAgent(t, { 'health.interval': '100ms' });
  let reason: string | undefined;
  started.agent.health.register('queue', () => {
    if (reason !== undefined) throw new Error(reason);
  });
  const listener = await listen(t, started);
  t.is(listener.status, 200);
  await until(() => listener.messages.length === 1);
  const [{ type, data }] = listener.messages as [Message];
  t.is(type, 'state');
  t.deepEqual(data['problems'], []);
  t.deepEqual(data['checks'], ['queue']);
  t.deepEqual(data['levels'], [{ name: 'self', spec: 'fatal' }]);
  reason = 'it is full';
  await until(() => typesOf(listener).length === 3);
  t.deepEqual(typesOf(listener), ['state', 'event', 'state']);
  const event = listener.messages[1]!.data;
  t.deepEqual(
    [event['component'], event['state'], event['reason'], event['runbook']],
    ['queue', 'failed', 'it is full', 'FabricHealthCheckFailing'],
  );
  const { fields: _fields, ...problem } = event;
  t.deepEqual(listener.messages[2]!.data['problems'], [{ ...problem, kind: 'agent' }]);
});

test('a script and a notifier receive the events of a checker, with their fields', async (t) => {
  const directory = temporaryFolder(t, {
    'emitter.mjs': `export default { apiVersion: 1, kind: 'checker', name: 'emitter', options: {}, create({ events }) {
      return { check() { events.notice({ component: 'ch1', reason: 'config block 7', fields: { block: '7' } }); } };
    } };`,
    'notes.mjs': `export default { apiVersion: 1, kind: 'notifier', name: 'notes', options: {}, create: () => ({
      schedule: { groupFor: 0 },
      notify({ events }) { globalThis.receivedEvents = [...(globalThis.receivedEvents ?? []), ...events]; },
    }) };`,
  });
  const plugins = ['emitter', 'notes'].map((name) => ({ plugin: join(directory, `${name}.mjs`) }));
  const started = await startAgent(t, { plugins });
  const listener = await listen(t, started);
  await until(() => typesOf(listener).includes('event'));
  const { data } = listener.messages.find(({ type }) => type === 'event')!;
  t.like(data, { component: 'emitter/ch1', state: 'info', reason: 'config block 7', fields: { block: '7' } });
  const received = (): readonly object[] =>
    (globalThis as { receivedEvents?: readonly object[] }).receivedEvents ?? [];
  await until(() => received().length > 0);
  t.like(received()[0], { component: 'emitter/ch1', state: 'info', fields: { block: '7' } });
});

test('a later listener receives the earlier events', async (t) => {
  const started = await startAgent(t, { 'health.interval': '100ms' });
  started.agent.health.register('queue', () => {
    throw new Error('it is full');
  });
  const first = await listen(t, started);
  await until(() => typesOf(first).includes('event'));
  const second = await listen(t, started);
  await until(() => second.messages.length >= 2);
  t.deepEqual(typesOf(second).slice(0, 2), ['event', 'state']);
});

test('a HEAD of /events ends, and the page is HTML that no other page can frame or keep a window of', async (t) => {
  const { url } = await startAgent(t);
  const head = await fetch(`${url}/events`, { method: 'HEAD' });
  t.is(head.headers.get('content-type'), 'text/event-stream');
  const page = await fetch(`${url}/`);
  t.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
  t.is(page.headers.get('content-security-policy'), "frame-ancestors 'none'");
  t.is(page.headers.get('cross-origin-opener-policy'), 'same-origin');
  t.regex(await page.text(), /<agent-page><\/agent-page>/);
});

test('the page without JavaScript is HTML without scripts and styles, with the answer', async (t) => {
  const { url } = await startAgent(t);
  const page = await fetch(`${url}/?plain`);
  t.is(page.headers.get('content-type'), 'text/html; charset=utf-8');
  t.regex(page.headers.get('content-security-policy') ?? '', /^default-src 'none'; /);
  const html = await page.text();
  t.regex(html, /<h2>This agent monitors no node yet<\/h2>/);
  t.notRegex(html, /<script|<style| style=/);
});

test('with operations.page: false there is neither the page nor its data', async (t) => {
  const { url } = await startAgent(t, { 'operations.page': false });
  t.deepEqual([(await fetch(`${url}/`)).status, (await fetch(`${url}/events`)).status], [404, 404]);
});

const MOST = LIMITS.maxEventStreams;
const OF_CLIENT = LIMITS.maxEventStreamsOfClient;

/** The response to another listener from an address of this machine. */
const refusalOf = async ({ url }: StartedAgent, localAddress: string): Promise<readonly unknown[]> => {
  const [response] = (await once(get(`${url}/events`, { agent: false, localAddress }), 'response')) as [
    IncomingMessage,
  ];
  return [response.statusCode, await textOf(response)];
};

test(`one client has at most ${OF_CLIENT} listeners, and others have the rest of ${MOST}`, async (t) => {
  const started = await startAgent(t);
  const addresses = ['127.0.0.1', '127.0.0.2'];
  const listeners = await Promise.all(
    addresses.flatMap((address) => Array.from({ length: OF_CLIENT - 1 }, () => listen(t, started, address))),
  );
  await listen(t, started, addresses[0]);
  t.deepEqual(await refusalOf(started, addresses[0]!), [
    503,
    `{"error":"too many responses with events to this client: it has ${OF_CLIENT}, the most that one client can have"}\n`,
  ]);
  await listen(t, started, addresses[1]);
  t.deepEqual(await refusalOf(started, '127.0.0.3'), [503, '{"error":"too many responses with events"}\n']);
  listeners[0]!.close();
  await until(async () => (await listen(t, started, '127.0.0.3')).status === 200);
  t.pass();
});

test.serial('a listener that does not read does not delay the end of the agent', async (t) => {
  const { agent, port } = await startAgent(t);
  const socket = connect(port, '127.0.0.1');
  t.teardown(() => socket.destroy());
  socket.pause().write('GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const other = await listen(t, { agent, port, url: `http://127.0.0.1:${port}` });
  await until(() => other.messages.length > 0);
  // No deadline of the stop is needed.
  stopTimeouts(t);
  await agent.stop();
  await until(() => other.isClosed);
  t.pass();
});
