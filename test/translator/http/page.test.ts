// The channel page of the service.

import test from 'ava';
import { startTranslator } from '../../helpers/translator.js';

const PAGE = Buffer.from('<!doctype html>');

test('the page is at /, and other sites may not frame it or use its window', async (t) => {
  const { port } = await startTranslator(t, { readPage: () => PAGE });
  const response = await fetch(`http://127.0.0.1:${port}/`);
  t.is(await response.text(), '<!doctype html>');
  t.deepEqual(
    [
      'content-type',
      'content-security-policy',
      'cross-origin-opener-policy',
      'referrer-policy',
      'x-content-type-options',
    ].map((name) => response.headers.get(name)),
    ['text/html; charset=utf-8', "frame-ancestors 'none'", 'same-origin', 'no-referrer', 'nosniff'],
  );
});

for (const path of ['//', '/index.html', '/page'])
  test(`${path} is not the page`, async (t) => {
    const { port } = await startTranslator(t, { readPage: () => PAGE });
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual' });
    t.not(response.status, 200);
  });

test('without a page / is 404, as in the reference', async (t) => {
  const { port } = await startTranslator(t);
  t.is((await fetch(`http://127.0.0.1:${port}/`)).status, 404);
});
