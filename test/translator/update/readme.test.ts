// The examples and the errors of the README.

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
  test(`README example “${what}”: ${original} to ${updated} is ${result}`, (t) => {
    t.is(outcome(bytesOf(original), bytesOf(updated)), result);
  });
}

const ROOT = '1200';
const BLOCK = delimited(2, delimited(1, delimited(1, delimited(1, delimited(1, '0803')))));
const CHANGED = '12032a0141';
const DEEP = Array.from({ length: 10_000 }).reduce<Buffer>(
  (inner) => delimited(2, delimited(2, inner)),
  bytesOf(),
);

/** Inputs that fail with the message of a row, for each path. */
const FAILURES: Readonly<
  Record<string, readonly (readonly [string | Uint8Array, string | Uint8Array, string])[]>
> = {
  'the original config is a common.Block, a common.Config is needed; it contains no config': [
    [BLOCK, '07', 'original'],
  ],
  'the updated config is a common.Block, a common.Config is needed; it contains no config': [
    [ROOT, BLOCK, 'updated'],
  ],
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

for (const [code = '', paths = '', messages = ''] of tableRows(README, 'Errors').map((cells) =>
  cells.map((cell) => cell.replaceAll('`', '')),
)) {
  for (const path of paths.split(' or ')) {
    const message = messages.replace(/(?<=for |the )original/, path);
    test(`README error ${code} “${message}” for ${path === '' ? 'both' : path}`, (t) => {
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
