// Parsing of ports and sizes.

import test from 'ava';
import type { Process } from '../../../translator/cli/io.js';
import { port as portKind, size as sizeKind } from '../../../translator/cli/kinds.js';

const NO_PROCESS = {} as Process;
const parsePort = (text: string): number => portKind.parse(text, 'port', NO_PROCESS);
const parseSize = (flag: string, text: string): number => sizeKind.parse(text, flag, NO_PROCESS);

for (const [text, port] of [
  ['0', 0],
  ['7059', 7059],
  ['21092.7', 21_092],
  ['+80', 80],
  ['1e3', 1000],
  ['.5', 0],
  ['-0.5', 0],
  ['65535.9', 65_535],
] as const) {
  test(`the port ${text} is ${port}`, (t) => {
    t.is(parsePort(text), port);
  });
}

for (const text of ['', ' 80', '80 ', '80x', '0x50', '1_000', 'Infinity', 'NaN', '.', 'e3', '8０']) {
  test(`the port ${JSON.stringify(text)} is not a number`, (t) => {
    t.throws(() => parsePort(text), {
      message: `strconv.ParseFloat: parsing ${JSON.stringify(text)}: invalid syntax`,
    });
  });
}

for (const text of ['65536', '-1', '1e9', '1e999']) {
  test(`the port ${text} is out of range`, (t) => {
    t.throws(() => parsePort(text), {
      message: `strconv.ParseFloat: parsing "${text}": value out of range`,
    });
  });
}

for (const [text, size] of [
  ['1', 1],
  ['1000', 1000],
  ['1K', 1024],
  ['1kb', 1024],
  ['100MB', 104_857_600],
  ['512m', 536_870_912],
] as const) {
  test(`the size ${text} is ${size} bytes`, (t) => {
    t.is(parseSize('max-body', text), size);
  });
}

for (const text of [
  '',
  '0',
  '-1',
  '1.5M',
  '1GB',
  '513MB',
  '536870913',
  'MB',
  '1 MB',
  '1TB',
  '9'.repeat(400),
]) {
  test(`the size ${JSON.stringify(text.slice(0, 20))} is refused`, (t) => {
    t.throws(() => parseSize('max-body', text), {
      message: `--max-body must be a size between 1 and 512MB, such as 100MB: found ${JSON.stringify(text)}`,
    });
  });
}
