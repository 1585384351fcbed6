// Descriptors are read and written synchronously and completely.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, { closeSync, constants, existsSync, openSync, readFileSync, truncateSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readAll, writeAll } from '../../../../core/common/files/descriptor.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { until } from '../../../helpers/until.js';

test('bytes are written at the current position, or at a given one', (t) => {
  const file = join(temporaryFolder(t, { a: 'xxxxxxxx' }), 'a');
  const descriptor = openSync(file, 'r+');
  t.teardown(() => closeSync(descriptor));
  writeAll(descriptor, Buffer.from('ab'));
  writeAll(descriptor, Buffer.from('yz'), 5);
  writeAll(descriptor, Buffer.from('c'));
  writeAll(descriptor, Buffer.alloc(0));
  t.is(readFileSync(file, 'utf8'), 'abcxxyzx');
});

test('a pipe that another process made non-blocking is written and read completely, although it is full or empty', async (t) => {
  const folder = temporaryFolder(t);
  const pipe = join(folder, 'pipe');
  execFileSync('mkfifo', [pipe]);
  // More than a pipe holds.
  const bytes = Buffer.alloc(1_000_000, 'abc');
  const copy = join(folder, 'copy');
  const reader = spawn('sh', ['-c', 'exec cat "$1" > "$2"', 'sh', pipe, copy], { stdio: 'ignore' });
  const ended = once(reader, 'exit');
  const open = (flags: number): number | undefined => {
    try {
      return openSync(pipe, flags | constants.O_NONBLOCK);
    } catch {
      return undefined;
    }
  };
  let output: number | undefined;
  await until(() => (output = open(constants.O_WRONLY)) !== undefined);
  writeAll(output!, bytes);
  closeSync(output!);
  await ended;
  t.true(readFileSync(copy).equals(bytes));

  const started = join(folder, 'started');
  const script = 'exec 3> "$1"; : > "$2"; cat "$3" >&3';
  const input = open(constants.O_RDONLY)!;
  const writer = spawn('sh', ['-c', script, 'sh', pipe, started, copy], { stdio: 'ignore' });
  const written = once(writer, 'exit');
  await until(() => existsSync(started));
  t.true(readAll(input, bytes.length).equals(bytes));
  closeSync(input);
  await written;
});

/** Replaces the system call that reads, until the end of the test. */
function withRead(t: ExecutionContext, read: (block: Uint8Array, offset: number) => number): void {
  const original = fs.readSync;
  fs.readSync = ((_: number, block: Uint8Array, offset: number) => read(block, offset)) as typeof original;
  syncBuiltinESMExports();
  t.teardown(() => {
    fs.readSync = original;
    syncBuiltinESMExports();
  });
}

test.serial('a pipe that gives one byte at a time is collected in a few blocks', (t) => {
  const parts = 100_000;
  const descriptor = openSync('/dev/null', 'r');
  t.teardown(() => closeSync(descriptor));
  const blocks = new Set<ArrayBufferLike>();
  let given = 0;
  withRead(t, (block, offset) => {
    blocks.add(block.buffer);
    if (given === parts) return 0;
    block[offset] = given % 251;
    given += 1;
    return 1;
  });
  const bytes = readAll(descriptor, 1_000_000);
  t.is(bytes.length, parts);
  t.true(bytes.every((byte, index) => byte === index % 251));
  t.true(blocks.size <= 2, `${blocks.size} blocks`);
});

test.serial('a file that is larger than the limit is not read', (t) => {
  const file = join(temporaryFolder(t, { a: '' }), 'a');
  truncateSync(file, 300_000_000);
  const descriptor = openSync(file, 'r');
  t.teardown(() => closeSync(descriptor));
  withRead(t, () => t.fail());
  t.throws(() => readAll(descriptor, 299_999_999), { message: 'it is larger than 299999999 bytes' });
});

for (const [size, limit] of [
  [0, 0],
  [0, 10],
  [10, 10],
  [65_536, 65_536],
  [200_000, 300_000],
] as const)
  test.serial(`${size} bytes are read with a limit of ${limit}, from a file and from a pipe`, (t) => {
    const file = join(temporaryFolder(t, { a: 'x'.repeat(size) }), 'a');
    const read = (from: string): number =>
      Number(
        execFileSync(
          process.execPath,
          ['--input-type=module', '-e', READ, String(limit)],
          from === 'file'
            ? { stdio: [openSync(file, 'r'), 'pipe', 'inherit'] }
            : { input: readFileSync(file) },
        ).toString(),
      );
    t.deepEqual([read('file'), read('pipe')], [size, size]);
  });

test.serial('one byte more than the limit is an error, from a pipe and from a file without a size', (t) => {
  t.throws(
    () =>
      execFileSync(process.execPath, ['--input-type=module', '-e', READ, '9'], {
        input: '0123456789',
        stdio: 'pipe',
      }),
    { message: /it is larger than 9 bytes/ },
  );
  const descriptor = openSync('/proc/self/maps', 'r');
  t.teardown(() => closeSync(descriptor));
  t.throws(() => readAll(descriptor, 100), { message: 'it is larger than 100 bytes' });
});

/** Prints how many bytes standard input has. */
const READ = `
import { readAll } from ${JSON.stringify(import.meta.resolve('../../../../core/common/files/descriptor.js'))};
process.stdout.write(String(readAll(0, Number(process.argv[1])).length));
`;
