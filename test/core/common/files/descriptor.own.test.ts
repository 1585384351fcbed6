// Descriptors are read and written synchronously and completely.

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, existsSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
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
