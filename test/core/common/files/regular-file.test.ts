import { closeSync, mkdirSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import test from 'ava';
import { readGivenFile, readRegularFile } from '../../../../core/common/files/regular-file.js';
import { temporaryFolder } from '../../../helpers/folder.js';

for (const size of [0, 1, 9, 10])
  test(`a file of ${size} bytes is read with a limit of 10`, (t) => {
    const file = join(temporaryFolder(t), 'a');
    writeFileSync(file, 'x'.repeat(size));
    t.is(readRegularFile(file, 10), 'x'.repeat(size));
  });

test('a file of 11 bytes is refused with a limit of 10', (t) => {
  const file = join(temporaryFolder(t), 'a');
  writeFileSync(file, 'x'.repeat(11));
  t.throws(() => readRegularFile(file, 10), { message: 'it is larger than 10 bytes' });
});

test('a file whose size the system does not report is read', (t) => {
  t.regex(readRegularFile('/proc/self/status', 1_000_000), /^Name:[^]*\nThreads:[^]*\n$/);
  t.throws(() => readRegularFile('/proc/self/status', 10), { message: 'it is larger than 10 bytes' });
});

test('a named pipe, a device, a socket and a directory are refused', async (t) => {
  const directory = temporaryFolder(t);
  const at = (name: string): string => join(directory, name);
  execFileSync('mkfifo', [at('pipe')]);
  mkdirSync(at('directory'));
  const server = createServer().listen(at('socket'));
  await once(server, 'listening');
  t.teardown(() => server.close());
  for (const [path, kind] of [
    [at('pipe'), 'a named pipe'],
    ['/dev/zero', 'a device'],
    [at('socket'), 'a socket'],
  ] as const)
    t.throws(() => readRegularFile(path, 10), { message: `it is ${kind}, not a regular file` });
  t.throws(() => readRegularFile(at('directory'), 10), { code: 'EISDIR' });
});

for (const prefix of ['/dev/fd/', '/proc/self/fd/'])
  test(`the descriptor ${prefix}N of the process is read, and no other one stays open`, (t) => {
    const file = join(temporaryFolder(t), 'a');
    writeFileSync(file, 'x'.repeat(10));
    const descriptor = openSync(file, 'r');
    t.teardown(() => closeSync(descriptor));
    const open = readdirSync('/proc/self/fd').length;
    t.is(readGivenFile(`${prefix}${descriptor}`, 10), 'x'.repeat(10));
    t.throws(() => readGivenFile(`${prefix}${descriptor}`, 9), { message: 'it is larger than 9 bytes' });
    t.is(readdirSync('/proc/self/fd').length, open);
  });

test('a given file that is no descriptor must be a regular file', (t) => {
  t.throws(() => readGivenFile('/dev/zero', 10), { message: 'it is a device, not a regular file' });
});
