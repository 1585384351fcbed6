// The examples of the README, and what it says about errors.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { TranslateError, type TranslateErrorCode } from '../../../proto/index.js';
import { computeUpdate } from '../../../translator/update/index.js';
import { tableRows } from '../../helpers/markdown.js';
import { bytesOf, delimited } from '../../helpers/wire.js';

const README = readFileSync(new URL('../../../../translator/update/README.md', import.meta.url), 'utf8');
const spans = (cell: string): string[] => [...cell.matchAll(/`([^`]*)`/g)].map(([, span = '']) => span);

/** The update in hexadecimal, or the code of the error. */
function outcome(original: Uint8Array, updated: Uint8Array): string {
  try {
    return Buffer.from(computeUpdate(original, updated, 'c')).toString('hex');
  } catch (error) {
    if (error instanceof TranslateError) return error.code;
    throw error;
  }
}

for (const [what = '', ...cells] of tableRows(README, 'Examples')) {
  const [original = '', updated = '', result = ''] = cells.flatMap(spans);
  test(`the example “${what}” of the README: ${original} to ${updated} is ${result}`, (t) => {
    t.is(outcome(bytesOf(original), bytesOf(updated)), result);
  });
}

const ROOT = '1200';
const CHANGED = '12032a0141';
const DEEP = Array.from({ length: 10_000 }).reduce<Buffer>(
  (inner) => delimited(2, delimited(2, inner)),
  bytesOf(),
);

/** What fails as a row of the README says, for either side. */
const FAILURES: Readonly<
  Record<string, readonly (readonly [string | Uint8Array, string | Uint8Array, string])[]>
> = {
  'proto: cannot parse invalid wire-format data': [
    ['07', '07', 'original'],
    [ROOT, '07', 'updated'],
  ],
  'string field contains invalid UTF-8': [
    ['12032a01ff', '07', 'original'],
    [ROOT, '12032a01ff', 'updated'],
    [ROOT, CHANGED, 'channel_id'],
  ],
  'proto: exceeded maximum recursion depth': [
    [delimited(2, DEEP), '07', 'original'],
    [ROOT, delimited(2, DEEP), 'updated'],
  ],
  'no channel group included for original config': [['', '', 'original']],
  'no channel group included for updated config': [[ROOT, '', 'updated']],
  'no differences detected between original and updated config': [[CHANGED, CHANGED, '']],
};

for (const [code = '', paths = '', messages = ''] of tableRows(README, 'What can go wrong').map((cells) =>
  cells.map((cell) => cell.replaceAll('`', '')),
)) {
  for (const path of paths.split(' or ')) {
    const message = messages.replace('for original', `for ${path}`);
    test(`the README lists ${code} “${message}” of ${path === '' ? 'both' : path}`, (t) => {
      const [original = '', updated = ''] =
        (FAILURES[message] ?? []).find(([, , where]) => where === path) ?? [];
      const error = t.throws(() => computeUpdate(bytesOf(original), bytesOf(updated), '\ud800'), {
        instanceOf: TranslateError,
        message,
      });
      t.deepEqual([error?.code, error?.path], [code as TranslateErrorCode, path]);
    });
  }
}
