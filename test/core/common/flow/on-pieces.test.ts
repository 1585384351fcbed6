import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import test from 'ava';
import { onPieces } from '../../../../core/common/flow/on-pieces.js';

/** A stream in whose buffer there are pieces of one byte. */
function streamOf(count: number): Readable {
  const stream = new Readable({ read: () => undefined });
  for (let index = 0; index < count; index += 1) stream.push(Buffer.from([index]));
  stream.push(null);
  return stream;
}

test('of 2,000 pieces that are there, at most 500 are handled in one turn of the event loop, all in their order', async (t) => {
  const stream = streamOf(2_000);
  const received: number[] = [];
  const turns: number[] = [];
  onPieces(stream, ([value]) => received.push(value!));
  const ended = once(stream, 'end');
  for (let before = 0; received.length < 2_000; before = received.length) {
    await nextTurn();
    turns.push(received.length - before);
  }
  await ended;
  t.true(Math.max(...turns) <= 500);
  t.deepEqual(
    received,
    Array.from({ length: 2_000 }, (_, index) => index % 256),
  );
});

test('after the listener is removed no piece is handled, and the stream still ends', async (t) => {
  const stream = streamOf(1_000);
  let count = 0;
  const stop = onPieces(stream, () => {
    count += 1;
    if (count === 500) stop();
  });
  await once(stream, 'end');
  t.is(count, 500);
});
