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
      ['/', 3 * 2 ** 20, 'bytes'],
      ['/dev/shm', 0, 'bytes'],
    ],
  ],
  [
    'quoted labels, signs and exponents',
    "x|'a b'=-1.5s 'it''s'=2e3% c=+4c;1;2",
    'x',
    [
      ['a b', -1.5, 'seconds'],
      ["it's", 20, 'ratio'],
      ['c', 4, ''],
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

for (const [written, value, unit] of [
  ['1.5s', 1.5, 'seconds'],
  ['57ms', 0.057, 'seconds'],
  ['3us', 0.000003, 'seconds'],
  ['3µs', 0.000003, 'seconds'],
  ['7ns', 7e-9, 'seconds'],
  ['57%', 0.57, 'ratio'],
  ['2B', 2, 'bytes'],
  ['2KB', 2048, 'bytes'],
  ['2kB', 2048, 'bytes'],
  ['2GiB', 2 ** 31, 'bytes'],
  ['2TB', 2 ** 41, 'bytes'],
  ['9c', 9, ''],
  ['21C', 21, 'C'],
  ['5constructor', 5, 'constructo'],
] as const)
  test(`${written} is ${value} ${unit}`, (t) => {
    t.deepEqual(readOutput(`x|a=${written};1;2`).data, [{ label: 'a', value, unit }]);
  });

test('hidden characters of labels and units are escaped', (t) => {
  const { data } = readOutput("x|'a\u202eb\u001b[0m'=1\u200bs a\ud800=2");
  t.deepEqual(data, [
    { label: String.raw`a\u202eb\u001b[0m`, value: 1, unit: String.raw`\u200bs` },
    { label: String.raw`a\ud800`, value: 2, unit: '' },
  ]);
});

test('at most 50 values are read, and their labels are cut', (t) => {
  const many = Array.from({ length: 60 }, (_, index) => `${'l'.repeat(200)}${index}=1`).join(' ');
  const { data } = readOutput(`x|${many}`);
  t.is(data.length, 50);
  t.is(data[0]?.label.length, 100);
  t.is(readOutput(`x|${'😀'.repeat(50)}l😀=1`).data[0]?.label, '😀'.repeat(50));
  t.true(readOutput(`x|l${'😀'.repeat(50)}=1`).data[0]?.label.isWellFormed());
});

test('64 KiB of hostile output are read quickly', (t) => {
  for (const text of ["'".repeat(65_000), "''=".repeat(20_000), 'a='.repeat(30_000), '1'.repeat(65_000)])
    t.deepEqual(readOutput(`x|${text}`).data, []);
});
