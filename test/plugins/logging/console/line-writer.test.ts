// The writer of log lines: complete lines in order, bounded, on pipes that are full, closed or not read.

import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { LineWriter } from '../../../../plugins/logging/console/line-writer.js';
import { stopTimeouts } from '../../../helpers/clock.js';
import { temporaryFolder } from '../../../helpers/folder.js';
import { PATIENCE } from '../../../helpers/patience.js';

/** A pipe: the descriptors of a writer, which does not block, and of a reader. */
function openPipe(t: ExecutionContext): { path: string; writeEnd: number; readEnd: number } {
  const path = `${temporaryFolder(t)}/log`;
  execFileSync('mkfifo', [path]);
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeEnd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  t.teardown(() => closeSync(writeEnd));
  return { path, writeEnd, readEnd };
}

/** Counts written and dropped lines. */
function createWriter(descriptor: number, maxQueued: number) {
  const counts = { written: 0, dropped: 0 };
  const writer = new LineWriter(descriptor, maxQueued, () => (counts.dropped += 1));
  return { counts, writer, write: (text: string) => writer.write(text, () => (counts.written += 1)) };
}

/** Everything that can be read at once. */
function drain(descriptor: number): string {
  const chunks: Buffer[] = [];
  for (;;) {
    const chunk = Buffer.alloc(65_536);
    try {
      const size = readSync(descriptor, chunk);
      if (size === 0) break;
      chunks.push(chunk.subarray(0, size));
    } catch {
      break;
    }
  }
  return Buffer.concat(chunks).toString();
}

test('lines go to a file at once', async (t) => {
  const path = `${temporaryFolder(t)}/log`;
  const file = openSync(path, 'w');
  t.teardown(() => closeSync(file));
  const { write, writer, counts } = createWriter(file, 100);
  write('one\n');
  write('two\n');
  t.is(readFileSync(path, 'utf8'), 'one\ntwo\n');
  t.deepEqual(counts, { written: 2, dropped: 0 });
  await writer.flush(0);
});

test('a pipe that is not read keeps lines up to the limit; later all of them arrive in order', async (t) => {
  const { writeEnd, readEnd } = openPipe(t);
  t.teardown(() => closeSync(readEnd));
  const { write, writer, counts } = createWriter(writeEnd, 100_000);
  const lines = Array.from({ length: 3000 }, (_, index) => `${index} ${'x'.repeat(100)}\n`);
  for (const line of lines) write(line);
  t.true(counts.dropped > 500 && counts.written > 500, JSON.stringify(counts));
  const kept = lines.slice(0, lines.length - counts.dropped);
  let text = '';
  const reading = setInterval(() => (text += drain(readEnd)), 1);
  await writer.flush(PATIENCE);
  clearInterval(reading);
  text += drain(readEnd);
  t.is(text, kept.join(''));
  t.is(counts.written + counts.dropped, lines.length);
});

test('of lines that the pipe has in part, only the rest counts for the limit', async (t) => {
  const { writeEnd, readEnd } = openPipe(t);
  t.teardown(() => closeSync(readEnd));
  const limit = 100_000;
  const line = `${'x'.repeat(49_999)}\n`;
  const { write, writer, counts } = createWriter(writeEnd, limit);
  for (let count = 0; count < 8; count += 1) write(line);
  const inPipe = drain(readEnd).length;
  const queued = (8 - counts.dropped) * line.length - inPipe;
  t.true(queued > limit - line.length && queued <= limit, `${queued}`);
  await writer.flush(0);
});

test('flush ends after its timeout and counts the lost lines', async (t) => {
  const { writeEnd, readEnd } = openPipe(t);
  t.teardown(() => closeSync(readEnd));
  const { write, writer, counts } = createWriter(writeEnd, 10_000_000);
  for (let index = 0; index < 3000; index += 1) write('x'.repeat(100));
  await writer.flush(30);
  t.true(counts.dropped > 500);
  t.is(counts.written + counts.dropped, 3000);
});

test('a closed reader and a full disk lose lines, count them and stop nothing', async (t) => {
  const { writeEnd, readEnd } = openPipe(t);
  closeSync(readEnd);
  const full = openSync('/dev/full', 'w');
  t.teardown(() => closeSync(full));
  for (const descriptor of [writeEnd, full]) {
    const { write, writer, counts } = createWriter(descriptor, 1000);
    write('lost\n');
    write('lost too\n');
    await writer.flush(PATIENCE);
    t.deepEqual(counts, { written: 0, dropped: 2 });
  }
});

test('flush also waits for the reader of a single line', async (t) => {
  const { writeEnd, readEnd } = openPipe(t);
  t.teardown(() => closeSync(readEnd));
  const { write, writer, counts } = createWriter(writeEnd, 1_000_000);
  const line = `${'x'.repeat(300_000)}\n`;
  write(line);
  let text = '';
  const reading = setInterval(() => (text += drain(readEnd)), 1);
  await writer.flush(PATIENCE);
  clearInterval(reading);
  text += drain(readEnd);
  t.is(text, line);
  t.deepEqual(counts, { written: 1, dropped: 0 });
});

test.serial(
  'the rest of a line is written when the reader has read, after waits of 10 to 200 ms',
  async (t) => {
    const clock = stopTimeouts(t);
    const { writeEnd, readEnd } = openPipe(t);
    t.teardown(() => closeSync(readEnd));
    const { write, counts } = createWriter(writeEnd, 1_000_000);
    const line = `${'x'.repeat(100_000)}\n`;
    write(line);
    write('next\n');
    t.is(clock.countTimers(), 1);
    for (const wait of [10, 20, 40, 80, 160, 200, 200]) {
      const start = clock.now;
      t.is(clock.next() - start, wait);
      t.is(counts.written, 0);
    }
    const first = drain(readEnd);
    clock.next();
    t.is(first + drain(readEnd), `${line}next\n`);
    t.deepEqual(counts, { written: 2, dropped: 0 });
    t.is(clock.countTimers(), 0);
    // After a line that was written the waits begin again.
    write(line);
    const start = clock.now;
    t.is(clock.next() - start, 10);
  },
);

for (const [what, timeout] of [
  ['whose reader has gone', PATIENCE],
  ['that flush did not wait for', 0],
] as const)
  test(`a line ${what} after a part of it ends before the next line`, async (t) => {
    const { path, writeEnd, readEnd } = openPipe(t);
    const { write, writer, counts } = createWriter(writeEnd, 1_000_000);
    write(`${'x'.repeat(100_000)}\n`);
    const isGone = timeout > 0;
    if (isGone) closeSync(readEnd);
    await writer.flush(timeout);
    t.deepEqual(counts, { written: 0, dropped: 1 });
    const end = isGone ? openSync(path, constants.O_RDONLY | constants.O_NONBLOCK) : readEnd;
    t.teardown(() => closeSync(end));
    t.regex(drain(end), /^x+$/);
    write('next\n');
    write('last\n');
    t.is(drain(end), '\nnext\nlast\n');
    t.deepEqual(counts, { written: 2, dropped: 1 });
  });
