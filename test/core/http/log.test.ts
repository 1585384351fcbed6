import test from 'ava';
import { MAX_LOGGED_TARGET } from '../../../core/http/limits.js';
import { ask } from '../../helpers/raw-http.js';
import { startServer } from '../../helpers/server.js';

const request = (target: string): string =>
  `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Request-Id: abc\r\n\r\n`;

test('at debug each answer is logged with its status, its time, the client and the id of the request', async (t) => {
  const { port, logged, activate } = await startServer(t);
  activate('operations=debug');

  for (const target of ['/ok', `/${'x'.repeat(1000)}`]) await ask(port, request(target));

  t.deepEqual(
    logged.map(({ level, message }) => `${level}: ${message.replace(/\d+\.\dms$/, '…')}`),
    ['debug: GET /ok: 200 in …', `debug: GET /${'x'.repeat(MAX_LOGGED_TARGET - 1)}: 404 in …`],
  );
  for (const { fields } of logged) {
    t.is(fields?.['requestId'], 'abc');
    t.regex(String(fields?.['client']), /^127\.0\.0\.1:\d+$/);
  }
});

test('at info answers are not logged', async (t) => {
  const { port, logged } = await startServer(t);
  await ask(port, request('/ok'));
  t.deepEqual(logged, []);
});
