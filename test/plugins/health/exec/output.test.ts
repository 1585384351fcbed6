import test from 'ava';
import { readOutput } from '../../../../plugins/health/exec/output.js';

for (const [what, stdout, text, data] of [
  ['no performance data', 'OK\n', 'OK', []],
  ['nothing', '', '', []],
  ['check_procs', 'PROCS OK: 97 processes | procs=97;;;0;\n', 'PROCS OK: 97 processes', [['procs', 97, '']]],
  [
    'check_disk',
    'DISK OK - free space: / 3 MB (50%);| /=3MB;5;6;0;7 /dev/shm=0MB;;;;',
    'DISK OK - free space: / 3 MB (50%);',
    [
      ['/', 3, 'MB'],
      ['/dev/shm', 0, 'MB'],
    ],
  ],
  [
    'quoted labels, signs and exponents',
    "x|'a b'=-1.5s 'it''s'=2e3% c=+4c;1;2",
    'x',
    [
      ['a b', -1.5, 's'],
      ["it's", 2000, '%'],
      ['c', 4, 'c'],
    ],
  ],
  [
    'further lines',
    'first|a=1\nlong text b=9\nmore|c=2\nd=3\n',
    'first',
    [
      ['a', 1, ''],
      ['c', 2, ''],
      ['d', 3, ''],
    ],
  ],
  ['values that are no numbers', "x|a=U b= c=1.2.3 =4 '=5 d=6", 'x', [['d', 6, '']]],
] as const)
  test(`output with ${what}: ${JSON.stringify(stdout)}`, (t) => {
    const found = readOutput(stdout);
    t.is(found.text, text);
    t.deepEqual(
      found.data.map(({ label, value, unit }) => [label, value, unit]),
      data.map((each) => [...each]),
    );
  });

test('at most 50 values are read, and their labels are cut', (t) => {
  const many = Array.from({ length: 60 }, (_, index) => `${'l'.repeat(200)}${index}=1`).join(' ');
  const { data } = readOutput(`x|${many}`);
  t.is(data.length, 50);
  t.is(data[0]?.label.length, 100);
});

test('64 KiB of hostile output are read quickly', (t) => {
  for (const text of ["'".repeat(65_000), "''=".repeat(20_000), 'a='.repeat(30_000), '1'.repeat(65_000)])
    t.deepEqual(readOutput(`x|${text}`).data, []);
});
