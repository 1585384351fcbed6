import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { createLogReader } from '../../../core/nodes/log.js';
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
