// The facts in proto/README.md match the code.

import { existsSync, readFileSync } from 'node:fs';
import test from 'ava';
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
for (const [limit = '', constant = '', value = '', file = ''] of limits) {
  test(`the limit "${limit}" is ${value} in ${file}`, (t) => {
    t.true(source(file).includes(`const ${constant.replaceAll('`', '')} = ${value};`));
  });
}

test('lists all limits and error codes', (t) => {
  t.is(limits.length, 6);
  const codes = [...source('errors.ts').matchAll(/^ {2}\| '(\w+)'/gm)].map(([, code]) => `\`${code!}\``);
  t.deepEqual(
    tableRows(readme, 'Errors').map(([code]) => code),
    codes,
  );
});

test('all files that it names exist', (t) => {
  const named = [...readme.matchAll(/`([\w-]+\.ts)`|\]\(([\w/.-]+)\)/g)].map(
    ([, file, link]) => file ?? link!,
  );
  t.true(named.length > 15);
  for (const file of named) t.true(existsSync(`proto/${file}`), file);
});
