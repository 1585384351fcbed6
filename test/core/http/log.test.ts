import test from 'ava';
import { MAX_LOGGED_TARGET } from '../../../core/http/limits.js';
import { sendRequest } from '../../helpers/raw-http.js';
import { startServer } from '../../helpers/server.js';

const request = (target: string): string =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Request-Id: abc\r\n\r\n`;

test('at level debug each response is logged with status, duration, client and request id', async (t) => {
  const { port, logged, activate } = await startServer(t);
  activate('operations=debug');

  for (const target of ['/ok', `/${'x'.repeat(1000)}`]) await sendRequest(port, request(target));

  t.deepEqual(
    logged.map(({ level, message }) => `${level}: ${message.replace(/\d+\.\dms$/, '…')}`),
    ['debug: GET /ok: 200 in …', `debug: GET /${'x'.repeat(MAX_LOGGED_TARGET - 1)}: 404 in …`],
  );
  for (const { fields } of logged) {
    t.is(fields?.['requestId'], 'abc');
    t.regex(String(fields?.['client']), /^127\.0\.0\.1:\d+$/);
  }
});

test('at level info responses are not logged', async (t) => {
  const { port, logged } = await startServer(t);
  await sendRequest(port, request('/ok'));
  t.deepEqual(logged, []);
});
