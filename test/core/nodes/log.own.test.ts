import { chmodSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { createLogReader, readLogText, readProcessEnd } from '../../../core/nodes/log.js';
import { stopClock } from '../../helpers/clock.js';
import { temporaryFolder } from '../../helpers/folder.js';

test('of a large file the end is read', async (t) => {
  const folder = temporaryFolder(t, { log: `WARN first\n${'x'.repeat(300_000)}\nWARN last` });
  t.deepEqual(await createLogReader({ file: join(folder, 'log') })(), {
    source: join(folder, 'log'),
    lines: ['WARN last'],
    last: 'WARN last',
    cause: undefined,
  });
});

test('the text of a log has no format of a container engine', async (t) => {
  const log = '{"log":"secret","stream":"stdout"}\n{"log":" text\\n","stream":"stdout"}\n';
  t.is(await readLogText({ file: join(temporaryFolder(t, { log }), 'log') }), 'secret text\n');
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
  t.deepEqual(await createLogReader({ unit: 'peer.service' })(), {
    source,
    lines: ['WARN b'],
    last: 'WARN b',
    cause: undefined,
  });
  t.is(
    readFileSync(join(folder, 'args'), 'utf8'),
    '--unit peer.service --lines 500 --output cat --no-pager --quiet\n',
  );
  writeFileSync(program, '#!/bin/sh\necho "No journal files were found." >&2\nexit 1\n');
  const problem = 'journalctl: No journal files were found.';
  t.deepEqual(await createLogReader({ unit: 'peer.service' })(), { source, lines: [], problem });
  writeFileSync(program, `#!/bin/sh\nprintf '%0600d\\nmore' 0 >&2\nexit 1\n`);
  t.is((await createLogReader({ unit: 'peer.service' })()).problem, `journalctl: ${'0'.repeat(500)}`);
  rmSync(program);
  process.env['PATH'] = folder;
  t.deepEqual(await createLogReader({ unit: 'peer.service' })(), {
    source,
    lines: [],
    problem: 'no such file',
  });
});

for (const [size, lines] of [
  [256 * 1024, ['WARN b', 'WARN a']],
  [256 * 1024 + 1, ['WARN b']],
] as const)
  test(`of a file of ${size} bytes the lines ${lines.join(', ')} are in the end`, async (t) => {
    const [first, last] = ['WARN a\n', '\nWARN b'];
    const text = `${first}${'x'.repeat(size - first.length - last.length)}${last}`;
    const file = join(temporaryFolder(t, { log: text }), 'log');
    t.deepEqual((await createLogReader({ file })()).lines, [...lines]);
    t.is((await readLogText({ file })).length, lines.length === 2 ? size : 256 * 1024 - first.length + 1);
  });

test.serial('the end of a log is used for 10 s', async (t) => {
  const clock = stopClock(t);
  const file = join(temporaryFolder(t, { log: 'WARN a' }), 'log');
  const read = createLogReader({ file });
  const first = await read();
  writeFileSync(file, 'WARN b');
  clock.tick(10_000);
  t.is(await read(), first);
  clock.tick(1);
  t.deepEqual((await read()).lines, ['WARN b']);
});

test('how the last process ended is unknown if the log cannot be read', async (t) => {
  const folder = temporaryFolder(t, { log: 'INFO Received signal: 15 (terminated)' });
  t.is(await readProcessEnd({ file: join(folder, 'log') }, undefined), 'stopped');
  t.is(await readProcessEnd({ file: join(folder, 'nosuch') }, ''), undefined);
});
