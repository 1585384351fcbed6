// The facts in proto/README.md match the code.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { ERRORS } from '../../proto/errors.js';
import { decode, encode } from '../../proto/index.js';
import { hex } from '../helpers/codec.js';
import { tableRows } from '../helpers/markdown.js';

const source = (file: string): string => readFileSync(`proto/${file}`, 'utf8');
const readme = source('README.md');

test('the bytes of the example decode to its text, which encodes to the bytes', (t) => {
  const [, after = ''] = readme.split('### Example');
  const [, digits = '', text = ''] = /^```\n([0-9a-f \n]+)```.*?^```text\n(.*?)^```/ms.exec(after) ?? [];
  t.is(decode('common.Payload', hex(digits)), text);
  t.deepEqual(encode('common.Payload', text), hex(digits));
});

const limits = tableRows(readme, 'Limits');
for (const [limit = '', constant = '', value = ''] of limits) {
  test(`the limit "${limit}" is ${value}`, (t) => {
    t.true(source('limits.ts').includes(`const ${constant.replaceAll('`', '')} = ${value};`));
  });
}

test('lists all limits', (t) => t.is(limits.length, 7));

test('lists all error codes with their statuses and meanings', (t) => {
  t.deepEqual(
    tableRows(readme, 'Errors'),
    Object.entries(ERRORS).map(([code, { status, exit, meaning }]) => [
      `\`${code}\``,
      String(status),
      String(exit),
      meaning,
    ]),
  );
});

test('every error code of the table is thrown, and every one that is thrown is in the table', (t) => {
  const files = ['proto', 'translator'].flatMap((directory) =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(`${directory}/${file}`, 'utf8')),
  );
  const thrown = files.flatMap((text) =>
    [...text.matchAll(/\bnew TranslateError\(\s*'(\w+)'/g)].map(([, code = '']) => code),
  );
  t.deepEqual([...new Set(thrown)].toSorted(), Object.keys(ERRORS).toSorted());
});

test('all files that it names exist', (t) => {
  const named = [...readme.matchAll(/`([\w-]+\.ts)`|\]\(([\w/.-]+)\)/g)].map(
    ([, file, link]) => file ?? link!,
  );
  t.true(named.length > 15);
  for (const file of named) t.true(existsSync(`proto/${file}`), file);
});
