import test, { type ExecutionContext } from 'ava';
import { useFakeTimers } from 'sinon';
import type { Logger } from '../../../core/contract/index.js';
import { LimitedLog, requestFields } from '../../../core/http/limited-log.js';
import { LOG_WINDOW, MAX_LOG_LINES } from '../../../core/http/limits.js';

function subject() {
  const lines: string[] = [];
  const write = (message: string): void => void lines.push(message);
  return { lines, log: new LimitedLog({ warn: write, error: write } as unknown as Logger) };
}

test.serial(
  'of many lines of one kind the first are written, and their number at the end of the window',
  (t) => {
    const clock = useFakeTimers({
      toFake: ['setTimeout', 'clearTimeout', 'performance'],
      shouldClearNativeTimers: true,
    });
    try {
      const { log, lines } = subject();
      for (let n = 0; n < 1000; n += 1) log.log('warn', 'refused', `refused: ${n}`);
      log.log('error', 'other', 'other: 1');
      t.is(lines.length, MAX_LOG_LINES + 1);
      clock.tick(LOG_WINDOW);
      t.is(lines.at(-1), `${1000 - MAX_LOG_LINES} further lines 'refused' were suppressed in 10s`);
      log.log('warn', 'refused', 'refused: again');
      t.is(lines.at(-1), 'refused: again');
      clock.tick(LOG_WINDOW);
      t.is(lines.length, MAX_LOG_LINES + 3);
    } finally {
      clock.restore();
    }
  },
);

test('the number of suppressed lines is written at a stop', (t) => {
  const { log, lines } = subject();
  for (let n = 0; n < MAX_LOG_LINES + 2; n += 1) log.log('warn', 'refused', 'refused');
  log.flush();
  t.is(lines.at(-1), "2 further lines 'refused' were suppressed in 10s");
});

/** A log with the clock of the test. */
function timed(t: ExecutionContext) {
  const clock = useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'performance'],
    shouldClearNativeTimers: true,
  });
  t.teardown(() => clock.restore());
  const { log, lines } = subject();
  const write = (count: number): void => {
    for (let n = 0; n < count; n += 1) log.log('warn', 'refused', 'refused');
  };
  return { clock, log, lines, write };
}

test.serial('the number of suppressed lines is written 10 s after the first line', (t) => {
  const { clock, lines, write } = timed(t);
  write(1);
  clock.tick(4_000);
  write(21);
  t.is(lines.length, 20);
  clock.tick(5_999);
  t.is(lines.length, 20);
  clock.tick(1);
  t.deepEqual(lines.slice(20), ["2 further lines 'refused' were suppressed in 10s"]);
  clock.tick(60_000);
  t.is(lines.length, 21);
});

test.serial('10 s after the first line of a kind 20 further ones are written', (t) => {
  const { clock, lines, write } = timed(t);
  write(20);
  clock.tick(9_999);
  write(1);
  t.is(lines.length, 20);
  clock.tick(1);
  t.is(lines.length, 21);
  write(21);
  t.is(lines.length, 41);
  t.is(lines.at(-1), 'refused');
});

test.serial('at a stop the number is written once, and no timer is left', (t) => {
  const { clock, log, lines, write } = timed(t);
  write(22);
  log.flush();
  log.flush();
  t.deepEqual(lines.slice(20), ["2 further lines 'refused' were suppressed in 10s"]);
  t.is(clock.countTimers(), 0);
});

test('the fields of a request have 200 characters of its target, also after its connection was closed', (t) => {
  t.deepEqual(requestFields({ method: 'GET', url: 'x'.repeat(201), socket: {} }), {
    method: 'GET',
    url: 'x'.repeat(200),
    remoteAddress: ':0',
  });
  const socket = { remoteAddress: '::1', remotePort: 7 };
  t.like(requestFields({ url: '/', socket }), { url: '/', remoteAddress: '::1:7' });
});
