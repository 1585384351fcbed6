import { readFileSync } from 'node:fs';
import test from 'ava';
import * as limits from '../../../core/http/limits.js';
import { jsonReply } from '../../../core/http/index.js';
import type { IncomingRequest } from '../../../core/http/route.js';
import { sendRequest } from '../../helpers/raw-http.js';
import { startServer } from '../../helpers/server.js';

test('the table in the README has the limits of the agent', (t) => {
  const { LIMITS: ofServer, ...others } = limits;
  const readme = readFileSync('core/http/README.md', 'utf8');
  const documented = [...readme.matchAll(/^\| `(\w+)` +\| (\d+) /gm)].map(
    ([, name = '', value]) => [name, Number(value)] as const,
  );
  t.deepEqual(Object.fromEntries(documented), { ...ofServer, ...others });
});

test('header lines above the limit are ignored, or the request is refused, depending on the version of Node', async (t) => {
  const handlers = { GET: async ({ headers }: IncomingRequest) => jsonReply(200, [...headers.keys()]) };
  const { port } = await startServer(t, [{ path: '/names', isOpen: true, handlers }]);
  const lines = Array.from({ length: 400 }, (_, index) => `x-${index}: 1\r\n`);
  const head = 'GET /names HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';
  const [response] = await sendRequest(port, `${head}${lines.join('')}\r\n`);
  if (response?.status === 431) return t.pass();
  const names = JSON.parse(response?.body ?? '') as string[];
  t.is(names.length, 200);
  return t.is(names.at(-1), 'x-197');
});
