// The parsing of forms: how much of a form is checked.

import { spy } from 'sinon';
import test from 'ava';
import { parseForm } from '../../../translator/http/form.js';
import { BOUNDARY, writeForm } from '../../helpers/translator.js';

const NAMES = new Set(['original']);
const parts = (count: number) => Array.from({ length: count }, () => ({ name: 'a', content: 'x' }));

for (const [title, boundary, body] of [
  ['180,000 parts', BOUNDARY, writeForm(parts(180_000))],
  [
    'a million parts without a header',
    'X',
    Buffer.from(`--X\r\n${'\r\n--X\r\n'.repeat(1_000_000)}--X--\r\n`),
  ],
] as const)
  test(`of a form with ${title} less than 100 KB are parsed`, async (t) => {
    const parsed = spy(body, 'subarray');
    await t.throwsAsync(parseForm(body, boundary, NAMES), { message: 'multipart: message too large' });
    t.true((parsed.lastCall.args[0] ?? 0) < 100_000);
  });

test('a value is read wherever a slice of the form ends', async (t) => {
  for (let padding = 8100; padding < 8300; padding += 1) {
    const body = writeForm([
      { name: 'a', content: 'y'.repeat(padding) },
      { name: 'original', filename: 'o', content: 'abc' },
    ]);
    const { files } = await parseForm(body, BOUNDARY, NAMES);
    t.is(files.get('original')?.toString(), 'abc', `after ${padding} bytes`);
  }
});
