import test from 'ava';
import { LEVEL_NAMES } from '../../../../core/contract/log-spec.js';
import { compilePattern, DEFAULT_PATTERN } from '../../../../plugins/logging/console/pattern.js';
import { entry, logThrough } from './entry.js';

const ESC = '\u001b';

const VERBS: readonly (readonly [string, string])[] = [
  ['plain text', 'plain text'],
  ['', ''],
  ['%{id}', '1'],
  ['%{id:04x}', '0001'],
  ['%{id:d} %{id:d}', '1 2'],
  ['%{id:5d}|', '    1|'],
  ['%{id:-5d}|', '1    |'],
  ['%{level}', 'INFO'],
  ['%{level:.2s}', 'IN'],
  ['%{level:6s}|', '  INFO|'],
  ['%{level:-6s}|', 'INFO  |'],
  ['%{level:-6.3s}|', 'INF   |'],
  ['%{level:q}', '"INFO"'],
  ['%{level:v}', 'INFO'],
  ['%{message}', 'hello'],
  ['%{message:q}', '"hello"'],
  ['%{module}', 'gossip.state'],
  ['%{module:.6s}', 'gossip'],
  ['[%{module}] -> %{message}', '[gossip.state] -> hello'],
  ['%{pid}', '%{pid}'],
  ['%{pid:04d} %{message}', '%{pid:04d} hello'],
  ['%{constructor}', '%{constructor}'],
  ['%{message', '%{message'],
  ['%{message:q', '%{message:q'],
  ['%{} %{:x} 100% %', '%{} %{:x} 100% %'],
  ['%{Message}', '%{Message}'],
  ['%%{message}', '%hello'],
  ['%{level:}', 'INFO'],
];
for (const [pattern, expected] of VERBS) {
  test(`the pattern '${pattern}' writes '${expected}'`, (t) => {
    t.is(compilePattern(pattern, true)(entry()), `${expected}\n`);
  });
}

const INVALID: readonly (readonly [string, string])[] = [
  ['%{color:pink}', 'invalid color option: pink; must be bold or reset'],
  ['%{color:BOLD}', 'invalid color option: BOLD; must be bold or reset'],
  ['%{id:s}', `invalid option 's' of %{id} in the log format: must be an integer format such as 04x`],
  ['%{id:%d}', `invalid option '%d' of %{id} in the log format: must be an integer format such as 04x`],
  [
    '%{level:d}',
    `invalid option 'd' of %{level} in the log format: must be a string format such as .4s or q`,
  ],
  [
    '%{module:.s}',
    `invalid option '.s' of %{module} in the log format: must be a string format such as .4s or q`,
  ],
  [
    '%{message:x5}',
    `invalid option 'x5' of %{message} in the log format: must be a string format such as .4s or q`,
  ],
  [
    '%{shortfunc:9999s}',
    `invalid option '9999s' of %{shortfunc} in the log format: must be a string format such as .4s or q`,
  ],
];
for (const [pattern, message] of INVALID) {
  test(`the pattern '${pattern}' is rejected with and without colors`, (t) => {
    t.throws(() => compilePattern(pattern, true), { code: 'LOG_FORMAT_INVALID', message });
    t.throws(() => compilePattern(pattern, false), { code: 'LOG_FORMAT_INVALID', message });
  });
}

test('each pattern counts its own ids', (t) => {
  const first = compilePattern('%{id:03d}', false);
  const second = compilePattern('%{id:03d}', false);
  t.deepEqual([first(entry()), first(entry()), second(entry())], ['001\n', '002\n', '001\n']);
});

for (const [format, expected] of [
  ['d', '171'],
  ['x', 'ab'],
  ['X', 'AB'],
  ['06X', '0000AB'],
  ['o', '253'],
  ['b', '10101011'],
  ['-6x', 'ab    '],
] as const)
  test(`the id 171 in the format ${format} is ${expected}`, (t) => {
    const write = compilePattern(`%{id:${format}}|`, false);
    for (let id = 1; id < 171; id += 1) write(entry());
    t.is(write(entry()), `${expected}|\n`);
  });

test('a time without a layout is as in RFC 3339, with milliseconds', (t) => {
  const time = Date.UTC(2026, 1, 3, 4, 5, 6, 70);
  const [written = ''] = compilePattern('%{time}', false)(entry({ time })).split('\n');
  t.regex(written, /^2026-02-0\dT\d\d:\d5:06\.07(?:Z|[+-]\d\d:\d\d)$/);
  t.is(Date.parse(written), time);
});

const COLORS = {
  payload: '0',
  debug: '36',
  info: '34',
  warn: '33',
  error: '31',
  dpanic: '35',
  panic: '35',
  fatal: '35',
};
for (const level of LEVEL_NAMES) {
  test(`${level} entries have their color, plain and bold`, (t) => {
    const format = compilePattern('%{color}a%{color:bold}b%{color:reset}c', true);
    const code = COLORS[level];
    t.is(format(entry({ level })), `${ESC}[${code}ma${ESC}[${code};1mb${ESC}[0mc\n`);
  });

  test(`${level} entries have no color if colors are disabled`, (t) => {
    t.is(compilePattern('%{color}a%{color:bold}b%{color:reset}c', false)(entry({ level })), 'abc\n');
  });

  test(`${level} entries contain their level`, (t) => {
    t.is(compilePattern('%{level}', false)(entry({ level })), `${level.toUpperCase()}\n`);
  });
}

test('newlines at the end of a message are removed', (t) => {
  const format = compilePattern('-> %{message}', false);
  t.is(format(entry({ message: 'one\n\ntwo\n\n' })), '-> one\\n\\ntwo\n');
  t.is(compilePattern('%{message:q}', false)(entry({ message: 'one\n"two"\n' })), '"one\\n\\"two\\""\n');
});

test('shortfunc is the calling function without its class', (t) => {
  const format = compilePattern('%{shortfunc}', false);
  t.is(logThrough(format, 'hello'), 'commitBlock\n');
  t.is(logThrough(compilePattern('%{shortfunc:.6s}', false), 'hello'), 'commit\n');
});

test('fields follow the text after one space', (t) => {
  const format = compilePattern('%{message}', false);
  t.is(format(entry({ fields: { a: 1, b: 'two words' } })), 'hello a=1 b="two words"\n');
  t.is(format(entry({ fields: {} })), 'hello\n');
});

test('the default pattern', (t) => {
  const line = logThrough(compilePattern(DEFAULT_PATTERN, false), 'hello', { a: 1 }, 'error');
  t.regex(
    line ?? '',
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \S+ 0001 ERRO \[gossip\.state\] commitBlock -> hello a=1\n$/,
  );
});

test('the default pattern with colors', (t) => {
  const line = logThrough(compilePattern(DEFAULT_PATTERN, true), 'hello') ?? '';
  t.true(line.startsWith(`${ESC}[34m`));
  t.true(
    line.endsWith(`0001 INFO${ESC}[0m [gossip.state] ${ESC}[34;1mcommitBlock${ESC}[0m -> hello\n`),
    JSON.stringify(line),
  );
});

test('line ends at the end of a message are not written, and four million of them before its last letter are read once', (t) => {
  const write = compilePattern('%{message}', false);
  const lines = '\n'.repeat(4e6);
  t.is(write(entry({ message: `a\nb${lines}` })), String.raw`a\nb` + '\n');
  t.is(write(entry({ message: `${lines}b` })).length, 8e6 + 2);
});
