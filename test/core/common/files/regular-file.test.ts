import { closeSync, mkdirSync, openSync, readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import test from 'ava';
import { readForeignBytes } from '../../../../core/common/files/file-call.js';
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

for (const size of [0, 10, 11, 200_000])
  test(`a file of ${size} bytes that may hang is ${size === 11 ? 'refused' : 'read'} with a limit of ${Math.max(size === 11 ? 10 : size, 10)}`, async (t) => {
    const file = join(temporaryFolder(t), 'a');
    const text = 'xyz'.repeat(size).slice(0, size);
    writeFileSync(file, text);
    if (size === 11)
      await t.throwsAsync(readForeignBytes(file, 10), { message: 'it is larger than 10 bytes' });
    else t.is((await readForeignBytes(file, Math.max(size, 10))).toString(), text);
  });

test('a file that may hang must be a regular file, and is closed', async (t) => {
  const folder = temporaryFolder(t, { a: 'too large' });
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  await t.throwsAsync(readForeignBytes(join(folder, 'pipe'), 10), {
    message: 'it is a named pipe, not a regular file',
  });
  await t.throwsAsync(readForeignBytes('/dev/zero', 10), { message: 'it is a device, not a regular file' });
  await t.throwsAsync(readForeignBytes(folder, 10), { code: 'EISDIR' });
  const isOpen = (): boolean =>
    readdirSync('/proc/self/fd').some((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`) === join(folder, 'a');
      } catch {
        return false;
      }
    });
  await t.throwsAsync(readForeignBytes(join(folder, 'a'), 5), { message: 'it is larger than 5 bytes' });
  t.false(isOpen());
});
