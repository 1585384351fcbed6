import { readFileSync } from 'node:fs';
import test from 'ava';
import { LIMITS } from '../../../core/http/limits.js';
import { jsonReply } from '../../../core/http/index.js';
import type { IncomingRequest } from '../../../core/http/route.js';
import { sendRequest } from '../../helpers/raw-http.js';
import { startServer } from '../../helpers/server.js';

test('the table in the README has the limits of the code', (t) => {
  const limits = readFileSync('core/http/limits.ts', 'utf8');
  const readme = readFileSync('core/http/README.md', 'utf8');
  for (const [, constant = '', limit = constant, expression = ''] of limits.matchAll(
    /^(?:export const (\w+) = |  (\w+): )([\d_ *]+)[;,]$/gm,
  )) {
    const value = expression
      .split('*')
      .reduce((product, factor) => product * Number(factor.replaceAll('_', '')), 1);
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${limit}\``));
    t.is(row?.split('|')[2]?.trim(), String(value), limit);
  }
  const named = [...readme.matchAll(/^\| `(\w+)` +\| \d+ /gm)].map(([, name]) => name ?? '');
  for (const name of named) t.true(new RegExp(`const ${name} |  ${name}: `).test(limits), name);
  t.true(named.length > 10);
});

test('header lines above the limit are ignored, or the request is refused, depending on the version of Node', async (t) => {
  const handlers = { GET: async ({ headers }: IncomingRequest) => jsonReply(200, [...headers.keys()]) };
  const { port } = await startServer(t, [{ path: '/names', isOpen: true, handlers }]);
  const lines = Array.from({ length: 2 * LIMITS.maxHeaderLines }, (_, index) => `x-${index}: 1\r\n`);
  const head = 'GET /names HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';
  const [response] = await sendRequest(port, `${head}${lines.join('')}\r\n`);
  if (response?.status === 431) return t.pass();
  const names = JSON.parse(response?.body ?? '') as string[];
  t.is(names.length, LIMITS.maxHeaderLines);
  return t.is(names.at(-1), `x-${LIMITS.maxHeaderLines - 3}`);
});
