// What proto/README.md says is what the code does.

import { existsSync, readFileSync } from 'node:fs';
import test from 'ava';
import { decode, encode } from '../../proto/index.js';
import { hex } from '../helpers/codec.js';
import { tableRows } from '../helpers/markdown.js';

const source = (file: string): string => readFileSync(`proto/${file}`, 'utf8');
const readme = source('README.md');

test('the worked example: the bytes give the text, and the text the bytes', (t) => {
  const [, after = ''] = readme.split('### A worked example');
  const [, digits = '', text = ''] = /^```\n([0-9a-f \n]+)```.*?^```text\n(.*?)^```/ms.exec(after) ?? [];
  t.is(decode('common.Payload', hex(digits)), text);
  t.deepEqual(encode('common.Payload', text), hex(digits));
});

const bounds = tableRows(readme, 'Bounds');
for (const [bound = '', constant = '', value = '', file = ''] of bounds) {
  test(`the bound of ${bound} is ${value} in ${file}`, (t) => {
    t.true(source(file).includes(`const ${constant.replaceAll('`', '')} = ${value};`));
  });
}

test('there are bounds, and all codes of errors are listed', (t) => {
  t.true(bounds.length > 0);
  const codes = [...source('errors.ts').matchAll(/^ {2}\| '(\w+)'/gm)].map(([, code]) => `\`${code!}\``);
  t.deepEqual(
    tableRows(readme, 'Errors').map(([code]) => code),
    codes,
  );
});

test('the files that are named are there', (t) => {
  const named = [...readme.matchAll(/`([\w-]+\.ts)`|\]\(([\w/.-]+)\)/g)].map(
    ([, file, link]) => file ?? link!,
  );
  t.true(named.length > 15);
  for (const file of named) t.true(existsSync(`proto/${file}`), file);
});
