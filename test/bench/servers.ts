// The servers that the benchmark loads, each in its own process: `node servers.js instant|async|restify`. Sends its port.

import type { AddressInfo } from 'node:net';
import { createServer } from 'restify';

const HEALTH = '{"status":"OK","time":"2026-11-20T10:00:00.000Z"}';

/** An agent with three checks that return at once, directly or as a promise. */
async function startAgent(check: () => void | Promise<void>): Promise<number> {
  const { createAgent, defineSettings } = await import('../../core/index.js');
  const settings = defineSettings(
    // As by default, requests share outcomes for a second.
    { 'operations.listenAddress': '127.0.0.1:0', 'logging.spec': 'fatal' },
    process.cwd(),
  );
  const agent = await createAgent(settings);
  for (const name of ['a', 'b', 'c']) agent.health.register(name, check);
  await agent.start();
  return Number(agent.address?.split(':').at(-1));
}

/** A plain restify route that sends the same bytes as /healthz. */
function startRestify(): Promise<number> {
  const log = Object.fromEntries(
    ['trace', 'debug', 'info', 'warn', 'error', 'fatal'].map((level) => [level, () => false]),
  ) as never;
  const server = createServer({ name: '', log });
  server.get('/healthz', async (_request, response) => {
    response.sendRaw(200, HEALTH, {
      'Content-Type': 'application/json',
      'X-Request-Id': '00000000-0000-4000-8000-000000000000',
      'Content-Length': String(HEALTH.length),
    });
  });
  return new Promise((resolve) =>
    server.server.listen(0, '127.0.0.1', () => resolve((server.server.address() as AddressInfo).port)),
  );
}

const STARTERS: ReadonlyMap<string, () => Promise<number>> = new Map([
  ['instant', () => startAgent(() => undefined)],
  ['async', () => startAgent(async () => undefined)],
  ['restify', startRestify],
]);

process.send?.(await STARTERS.get(process.argv[2] ?? '')?.());
