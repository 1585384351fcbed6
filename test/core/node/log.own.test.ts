import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { createLogReader, importantLines } from '../../../core/node/log.js';
import { temporaryFolder } from '../../helpers/folder.js';

const CONSOLE = [
  '\u001b[34m2026-11-23 22:10:11.123 UTC 0001 INFO\u001b[0m [nodeCmd] serve -> Starting peer',
  '\u001b[33m2026-11-23 22:10:12.123 UTC 0002 WARN\u001b[0m [gossip.state] x -> behind',
  '\u001b[31m2026-11-23 22:10:13.123 UTC 0003 ERRO\u001b[0m [core.comm] y -> refused\u202e',
  '2026-11-23 22:10:14.123 UTC 0004 PANI [orderer.common.server] z -> no certificate',
  'panic: no certificate',
  'goroutine 1 [running]:',
  'go.uber.org/zap/zapcore.(*CheckedEntry).Write(0xc0000c6000)',
].join('\n');

test('the lines of importance of the console format are found, without colours', (t) => {
  t.deepEqual(importantLines(CONSOLE), [
    '2026-11-23 22:10:12.123 UTC 0002 WARN [gossip.state] x -> behind',
    '2026-11-23 22:10:13.123 UTC 0003 ERRO [core.comm] y -> refused\u202e',
    '2026-11-23 22:10:14.123 UTC 0004 PANI [orderer.common.server] z -> no certificate',
    'panic: no certificate',
    'goroutine 1 [running]:',
  ]);
});

for (const line of [
  '{"level":"warn","ts":1700000000,"name":"gossip","msg":"x"}',
  '{"level":"panic","ts":1700000000,"name":"orderer","msg":"x"}',
  'time=1 level=error msg=x',
  'fatal error: all goroutines are asleep - deadlock!',
  'SIGSEGV: segmentation violation',
])
  test(`a line of importance: ${line}`, (t) => {
    t.deepEqual(importantLines(`x\n${line}\n{"level":"info","msg":"warn"}\nlevel=debug`), [line]);
  });

test('the last 20 lines are returned, each cut after 500 characters', (t) => {
  const lines = importantLines(
    Array.from({ length: 30 }, (_, index) => `WARN ${index} ${'x'.repeat(600)}`).join('\n'),
  );
  t.is(lines.length, 20);
  t.true(lines[0]?.startsWith('WARN 10 '));
  t.is(lines[0]?.length, 501);
});

test('of a large file the end is read', async (t) => {
  const folder = temporaryFolder(t, { log: `WARN first\n${'x'.repeat(300_000)}\nWARN last` });
  t.deepEqual(await createLogReader({ file: join(folder, 'log') })(), {
    source: join(folder, 'log'),
    lines: ['WARN last'],
  });
});

test('a log is read again after 10 s at the earliest', async (t) => {
  const file = join(temporaryFolder(t, { log: 'WARN a' }), 'log');
  const read = createLogReader({ file });
  const first = await read();
  writeFileSync(file, 'WARN b');
  t.is(await read(), first);
});

for (const [what, path, problem] of [
  ['a file that does not exist', 'nosuch', 'no such file'],
  ['a directory', '.', 'it is not a regular file'],
  ['a device', 'null', 'it is not a regular file'],
] as const)
  test(`${what} is a problem of the log`, async (t) => {
    const folder = temporaryFolder(t);
    symlinkSync('/dev/null', join(folder, 'null'));
    const source = join(folder, path);
    t.deepEqual(await createLogReader({ file: source })(), { source, lines: [], problem });
  });

test.serial('the journal of a unit is read with journalctl', async (t) => {
  const folder = temporaryFolder(t, {
    journalctl: `#!/bin/sh\necho "$*" > "$(dirname "$0")/args"\nprintf 'INFO a\\nWARN b\\n'\n`,
  });
  const program = join(folder, 'journalctl');
  chmodSync(program, 0o755);
  const { PATH = '' } = process.env;
  t.teardown(() => void (process.env['PATH'] = PATH));
  process.env['PATH'] = `${folder}:/usr/bin:/bin`;
  const source = 'journal of peer.service';
  t.deepEqual(await createLogReader({ unit: 'peer.service' })(), { source, lines: ['WARN b'] });
  writeFileSync(program, '#!/bin/sh\necho "No journal files were found." >&2\nexit 1\n');
  const problem = 'journalctl: No journal files were found.';
  t.deepEqual(await createLogReader({ unit: 'peer.service' })(), { source, lines: [], problem });
  rmSync(program);
  process.env['PATH'] = folder;
  t.deepEqual(await createLogReader({ unit: 'peer.service' })(), {
    source,
    lines: [],
    problem: 'no such file',
  });
});
