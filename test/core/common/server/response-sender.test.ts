// Clients that do not read: what they keep in memory, and which of them is closed.

import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { ByteBudget } from '../../../../core/common/server/byte-budget.js';
import { ResponseSender, type Body } from '../../../../core/common/server/response-sender.js';
import { until } from '../../../helpers/until.js';

const MIB = 2 ** 20;

/** Starts a server with these bodies by path; the result requests one, and does not read its body. */
async function startSender(
  t: ExecutionContext,
  budget: number,
  bodies: Readonly<Record<string, Body>>,
): Promise<(path: string) => Promise<IncomingMessage>> {
  const sender = new ResponseSender(new ByteBudget(budget));
  const server = createServer(({ url = '' }, response) => sender.send(response, bodies[url]!));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return async (path) => {
    const request = get({ host: '127.0.0.1', port, path, agent: false });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.on('error', () => undefined);
    return response;
  };
}

for (const [what, body] of [
  ['16 KiB', Buffer.alloc(16 * 1024, 'a')],
  ['a byte more', Buffer.alloc(16 * 1024 + 1, 'a')],
  ['1 MiB', Buffer.alloc(MIB, 'a')],
  ['small parts', [Buffer.from('a'), Buffer.alloc(0), Buffer.from('bc')]],
  ['large parts', [Buffer.alloc(300_000, 'a'), Buffer.alloc(256 * 1024, 'b'), Buffer.from('c')]],
] as const)
  test(`a body of ${what} arrives completely, even without a budget`, async (t) => {
    const request = await startSender(t, 0, { '/': body });
    const received = await buffer(await request('/'));
    t.true(received.equals(body instanceof Uint8Array ? body : Buffer.concat(body)));
  });

// Each body is larger than the buffers of the operating system.
const BODIES = { '/a': Buffer.alloc(32 * MIB, 'a'), '/b': Buffer.alloc(32 * MIB, 'b') };

test('above the budget the client that has not read for the longest time is closed', async (t) => {
  const request = await startSender(t, 40 * MIB, BODIES);
  const slow = await request('/a');
  t.is((await buffer(await request('/b'))).length, 32 * MIB);
  slow.resume();
  await until(() => slow.destroyed);
  t.false(slow.complete);
});

test('a body for two clients is counted once, until both have it', async (t) => {
  const request = await startSender(t, 40 * MIB, BODIES);
  const [slow, slower] = [await request('/a'), await request('/a')];
  t.is((await buffer(await request('/a'))).length, 32 * MIB);
  // Neither was closed, and one of them reads everything now.
  t.is((await buffer(slow)).length, 32 * MIB);
  // The body is still counted for the other one, which makes room for another body.
  t.is((await buffer(await request('/b'))).length, 32 * MIB);
  slower.resume();
  await until(() => slower.destroyed);
  t.false(slower.complete);
});

test('a client that has everything is no longer counted', async (t) => {
  const request = await startSender(t, 40 * MIB, BODIES);
  t.is((await buffer(await request('/a'))).length, 32 * MIB);
  const slow = await request('/b');
  t.is((await buffer(slow)).length, 32 * MIB);
});
