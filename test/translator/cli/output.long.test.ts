// Output of the commands: files are replaced on success only; pipes and devices are written to.

import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Io } from '../../../translator/cli/io.js';
import { writeOutput } from '../../../translator/cli/files.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { runProgram, TRANSLATOR, type Outcome } from '../../helpers/program.js';

const TYPE = ['--type', 'common.LastConfig'];
const JSON_TEXT = '{"index":"7"}';
const ENCODED = Buffer.from([0x08, 0x07]);
const DECODED = '{\n\t"index": "7"\n}\n';

const inDirectory = (t: ExecutionContext, cwd: string, ...args: string[]): Promise<Outcome> =>
  runProgram(t, args, { program: TRANSLATOR, cwd });
const encode = (t: ExecutionContext, cwd: string, ...args: string[]): Promise<Outcome> =>
  inDirectory(t, cwd, 'proto_encode', ...TYPE, ...args);

const modeOf = (file: string): string => (statSync(file).mode & 0o7777).toString(8);

test('a new output file is readable by its owner only, and no temporary file remains', async (t) => {
  const directory = temporaryFolder(t, { in: JSON_TEXT });
  const outcome = await encode(t, directory, '--input', 'in', '--output', 'out');
  t.deepEqual(outcome, { status: 0, signal: null, stdout: '', stderr: '' });
  t.deepEqual(readFileSync(join(directory, 'out')), ENCODED);
  t.is(modeOf(join(directory, 'out')), '600');
  t.deepEqual(readdirSync(directory).toSorted(), ['in', 'out']);
});

test('an existing output file is replaced and keeps its mode', async (t) => {
  const directory = temporaryFolder(t, { in: JSON_TEXT, out: 'something longer than the output' });
  chmodSync(join(directory, 'out'), 0o640);
  t.is((await encode(t, directory, '--input', 'in', '--output', 'out')).status, 0);
  t.deepEqual(readFileSync(join(directory, 'out')), ENCODED);
  t.is(modeOf(join(directory, 'out')), '640');
  t.deepEqual(readdirSync(directory).toSorted(), ['in', 'out']);
});

/** Only root may change the owner of a file. */
const testAsRoot = process.getuid?.() === 0 ? test : test.skip;
/** An unprivileged user and group, which need not exist. */
const OTHER = 65_534;

testAsRoot('a file of another owner and group is replaced and keeps them', async (t) => {
  const directory = temporaryFolder(t, { in: JSON_TEXT, out: 'before' });
  const out = join(directory, 'out');
  chmodSync(out, 0o640);
  chownSync(out, OTHER, OTHER);
  const { ino } = statSync(out);
  t.is((await encode(t, directory, '--input', 'in', '--output', 'out')).status, 0);
  const found = statSync(out);
  t.deepEqual(readFileSync(out), ENCODED);
  t.deepEqual([found.uid, found.gid, modeOf(out)], [OTHER, OTHER, '640']);
  t.not(found.ino, ino);
});

testAsRoot('a file whose owner cannot be set on a new file is written in place', (t) => {
  const out = join(temporaryFolder(t, { out: 'something longer' }), 'out');
  chmodSync(out, 0o666);
  chmodSync(dirname(out), 0o777);
  const { ino } = statSync(out);
  process.seteuid?.(OTHER);
  try {
    writeOutput(out, ENCODED, { stdin: 0, stdout: 1 } as Io);
  } finally {
    process.seteuid?.(0);
  }
  const found = statSync(out);
  t.deepEqual(readFileSync(out), ENCODED);
  t.deepEqual([found.uid, found.ino], [0, ino]);
  t.deepEqual(readdirSync(dirname(out)), ['out']);
});

const FAILURES: Readonly<Record<string, readonly string[]>> = {
  'the input is not JSON': ['proto_encode', ...TYPE, '--input', 'bad', '--output', 'out'],
  'the input does not exist': ['proto_encode', ...TYPE, '--output', 'out', '--input', 'none'],
  'the input is a directory': ['proto_decode', ...TYPE, '--output', 'out', '--input', '.'],
  'the type is unknown': ['proto_encode', '--type', 'x', '--output', 'out', '--input', 'bad'],
  'the type is missing': ['proto_encode', '--output', 'out', '--input', 'bad'],
  'the bytes are not a message': ['proto_decode', ...TYPE, '--output', 'out', '--input', 'bad'],
  'a config is missing': ['compute_update', '--channel_id', 'c', '--output', 'out'],
};
for (const [reason, args] of Object.entries(FAILURES)) {
  for (const exists of [true, false]) {
    test(`if ${reason}, ${exists ? 'an existing output file is unchanged' : 'no output file is created'}`, async (t) => {
      const directory = temporaryFolder(t, { bad: '\u0001!', ...(exists && { out: 'before' }) });
      const files = readdirSync(directory);
      t.is((await inDirectory(t, directory, ...args)).status, 1);
      t.deepEqual(readdirSync(directory), files);
      if (exists) t.is(readFileSync(join(directory, 'out'), 'utf8'), 'before');
    });
  }
}

for (const [output, reason] of [
  ['', 'no such file'],
  ['new/', 'it is a directory'],
  ['in/', 'not a directory'],
] as const) {
  test(`the output '${output}' is refused, and no file is created or changed`, async (t) => {
    const directory = temporaryFolder(t, { in: JSON_TEXT });
    const { status, stderr } = await encode(t, directory, '--input', 'in', '--output', output);
    t.is(stderr, `configtxlator: error: open ${output}: ${reason}, try --help\n`);
    t.is(status, 1);
    t.deepEqual(readdirSync(directory), ['in']);
    t.is(readFileSync(join(directory, 'in'), 'utf8'), JSON_TEXT);
  });
}

test('an output that cannot be written completely leaves the existing file unchanged', (t) => {
  const found = shell(
    t,
    `trap '' XFSZ; ulimit -f 1; configtxlator proto_encode --type common.Metadata --input big --output out 2>&1; echo $?; cat out; ls`,
    { big: JSON.stringify({ value: 'A'.repeat(100_000) }), out: 'before\n' },
  );
  const message = 'configtxlator: error: Error decoding: error writing output: write out: file too large';
  t.is(found, `${message}\n1\nbefore\nbig\nin\nout\n`);
});

test('a file with two hard links keeps its content if the output cannot be written completely', (t) => {
  const found = shell(
    t,
    `ln out other; trap '' XFSZ; ulimit -f 1; configtxlator proto_encode --type common.Metadata --input big --output out 2>&1; echo $?; cat out other`,
    { big: JSON.stringify({ value: 'A'.repeat(100_000) }), out: 'before\n' },
  );
  const message = 'configtxlator: error: Error decoding: error writing output: write out: file too large';
  t.is(found, `${message}\n1\nbefore\nbefore\n`);
});

test('input and output may be the same file', async (t) => {
  const directory = temporaryFolder(t, { x: JSON_TEXT });
  t.is((await encode(t, directory, '--input', 'x', '--output', 'x')).status, 0);
  t.deepEqual(readFileSync(join(directory, 'x')), ENCODED);
  t.is((await inDirectory(t, directory, 'proto_decode', ...TYPE, '--output=x', '--input=x')).status, 0);
  t.is(readFileSync(join(directory, 'x'), 'utf8'), DECODED);
});

test('the target of a symbolic link is replaced, not the link', async (t) => {
  const directory = temporaryFolder(t, { in: JSON_TEXT, 'there/out': 'before' });
  symlinkSync('there/out', join(directory, 'link'));
  symlinkSync('link', join(directory, 'link2'));
  t.is((await encode(t, directory, '--input', 'in', '--output', 'link2')).status, 0);
  t.is(readlinkSync(join(directory, 'link2')), 'link');
  t.is(readlinkSync(join(directory, 'link')), 'there/out');
  t.deepEqual(readFileSync(join(directory, 'there/out')), ENCODED);
});

test('a symbolic link to a missing file creates the file', async (t) => {
  const directory = temporaryFolder(t, { in: JSON_TEXT, 'there/x': '' });
  symlinkSync('there/out', join(directory, 'link'));
  t.is((await encode(t, directory, '--input', 'in', '--output', 'link')).status, 0);
  t.true(lstatSync(join(directory, 'link')).isSymbolicLink());
  t.deepEqual(readFileSync(join(directory, 'there/out')), ENCODED);
});

test('a symbolic link to itself is an error', async (t) => {
  const directory = temporaryFolder(t, { in: JSON_TEXT });
  symlinkSync('link', join(directory, 'link'));
  const { status, stderr } = await encode(t, directory, '--input', 'in', '--output', 'link');
  t.is(status, 1);
  t.is(stderr, 'configtxlator: error: open link: a loop of symbolic links, try --help\n');
});

test('a file with two hard links is written in place', async (t) => {
  const directory = temporaryFolder(t, { in: JSON_TEXT, out: 'something longer' });
  linkSync(join(directory, 'out'), join(directory, 'other'));
  t.is((await encode(t, directory, '--input', 'in', '--output', 'out')).status, 0);
  t.deepEqual(readFileSync(join(directory, 'other')), ENCODED);
});

/** Runs a bash script in a directory, with `configtxlator` as a command. */
function shell(t: ExecutionContext, script: string, files: Readonly<Record<string, string>> = {}): string {
  const directory = temporaryFolder(t, { in: JSON_TEXT, ...files });
  const define = `configtxlator() { "${process.execPath}" "${TRANSLATOR}" "$@"; }; cd "${directory}"; `;
  return execFileSync('bash', ['-c', define + script], {
    encoding: 'latin1',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}
const ENCODE = 'configtxlator proto_encode --type common.LastConfig';
const DECODE = 'configtxlator proto_decode --type common.LastConfig';

const SCRIPTS: readonly (readonly [string, string])[] = [
  [`${ENCODE} <in`, '\b\u0007'],
  [`cat in | ${ENCODE} | ${DECODE}`, DECODED],
  [`${ENCODE} --input in --output /dev/stdout`, '\b\u0007'],
  [`${ENCODE} --input in --output /dev/fd/1`, '\b\u0007'],
  [`${ENCODE} --input /dev/fd/0 <in`, '\b\u0007'],
  [`${ENCODE} --input <(cat in)`, '\b\u0007'],
  [`${ENCODE} --input in --output >(cat >out); wait $!; cat out`, '\b\u0007'],
  [`echo before >out; ${ENCODE} --input in >>out; cat out`, 'before\n\b\u0007'],
  [`{ echo before; ${ENCODE} --input in; echo after; } >out; cat out`, 'before\n\b\u0007after\n'],
  [`{ read -r first; ${ENCODE} --output /dev/stdout; } <<<$'first\\n{"index":7}'`, '\b\u0007'],
  [
    `${ENCODE} --input in >a; configtxlator show <(cat a) 2>&1 | tail -c 35`,
    'a config block or a config update is needed\n'.slice(-35),
  ],
  [`mkfifo p; ${ENCODE} --input in --output p & cat p; wait`, '\b\u0007'],
  [`mkfifo p; cat in >p & ${ENCODE} --input p; wait`, '\b\u0007'],
  [`mkfifo p; ${ENCODE} --input in --output p & cat p >out; wait; test -p p && echo fifo`, 'fifo\n'],
  [`${ENCODE} --input in --output /dev/null; test -c /dev/null && echo device`, 'device\n'],
  [`${ENCODE} --input in --output /dev/stderr 2>err; cat err`, '\b\u0007'],
  [`${ENCODE} </dev/null; echo $?`, '1\n'],
  [`${DECODE} <&- ; echo $?`, '{\n\t"index": "0"\n}\n0\n'],
  [`umask 077; ${ENCODE} --input in --output out; stat -c %a out`, '600\n'],
  [`umask 0; ${ENCODE} --input in --output out; stat -c %a out`, '600\n'],
  [`printf '\\x80' | ${DECODE} --output out; echo $?; ls`, '1\nin\n'],
  [`${ENCODE} --input in >/dev/full; echo $?`, '1\n'],
  [`configtxlator types >/dev/full; echo $?`, '1\n'],
  [`set -o pipefail; configtxlator types | head -1; echo $?`, ''],
];
for (const [script, output] of SCRIPTS) {
  test(`the script ${script} prints ${JSON.stringify(output)}`, (t) => {
    const found = shell(t, script);
    if (output === '') t.regex(found, /^common\.ApplicationPolicy\n\d\n$/);
    else t.is(found, output);
  });
}

test('if the reader of the output exits, the program exits with status 1 and no message', (t) => {
  const big = JSON.stringify({ data: Array.from({ length: 300_000 }, () => ({})) });
  const found = shell(
    t,
    '{ configtxlator proto_encode --type common.BlockData --input big; echo $? >status; } 2>err | head -c 1 >/dev/null; cat status err',
    { big },
  );
  t.is(found, '1\n');
});

test('10 MB pass through a slow input pipe and a slow output pipe', (t) => {
  const value = 'A'.repeat(10_000_000);
  const found = shell(
    t,
    '{ head -c 100000 big; sleep 0.3; tail -c +100001 big; } | configtxlator proto_encode --type common.Metadata | { sleep 0.3; wc -c; }',
    { big: JSON.stringify({ value }) },
  );
  // The decoded bytes, a tag and a length of four bytes.
  t.is(found.trim(), String(7_500_000 + 5));
});

test('non-blocking pipes are read and written completely', (t) => {
  const value = 'A'.repeat(4_000_000);
  const unblock = "perl -MFcntl -e 'fcntl($_, F_SETFL, O_NONBLOCK) for *STDIN, *STDOUT'";
  const found = shell(
    t,
    `{ sleep 0.3; cat big; } | { ${unblock}; configtxlator proto_encode --type common.Metadata; } | { sleep 0.6; wc -c; }`,
    { big: JSON.stringify({ value }) },
  );
  t.is(found.trim(), String(3_000_000 + 5));
});
