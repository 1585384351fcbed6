import test from 'ava';
import { useFakeTimers } from 'sinon';
import type { Logger } from '../../../core/contract/index.js';
import { LimitedLog } from '../../../core/http/limited-log.js';
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
