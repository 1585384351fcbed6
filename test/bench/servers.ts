// The servers that the bench loads, each in a process of its own: `node servers.js instant|async|bare`. Prints its port.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const HEALTH = '{"status":"OK","time":"2026-11-20T10:00:00.000Z"}';

/** An agent with three checks that have nothing to do, at once or as a promise. */
async function startAgent(check: () => void | Promise<void>): Promise<number> {
  // Not loaded for the bare server, which is to be nothing but node.
  const { createAgent, defineSettings } = await import('../../core/index.js');
  const settings = defineSettings(
    { 'operations.listenAddress': '127.0.0.1:0', 'logging.spec': 'fatal' },
    process.cwd(),
  );
  const agent = await createAgent(settings);
  for (const name of ['a', 'b', 'c']) agent.health.register(name, check);
  await agent.start();
  return Number(agent.address?.split(':').at(-1));
}

/** What /healthz costs at the least: node's own server answering the same bytes. */
function startBare(): Promise<number> {
  const headers = {
    'Content-Type': 'application/json',
    'X-Request-Id': '00000000-0000-4000-8000-000000000000',
    'Content-Length': HEALTH.length,
  };
  const server = createServer((_request, response) => response.writeHead(200, headers).end(HEALTH));
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );
}

const STARTERS: ReadonlyMap<string, () => Promise<number>> = new Map([
  ['instant', () => startAgent(() => undefined)],
  ['async', () => startAgent(async () => undefined)],
  ['bare', startBare],
]);

process.send?.(await STARTERS.get(process.argv[2] ?? '')?.());
