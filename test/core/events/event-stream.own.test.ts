// The events for a new listener of `/events`.

import test, { type ExecutionContext } from 'ava';
import { EventStream } from '../../../core/events/event-stream.js';
import { Events } from '../../../core/events/index.js';
import { stopClock } from '../../helpers/clock.js';

const HOUR = 3_600_000;

/** The stream of an agent after some events, and the messages for a new listener. */
function startStream(t: ExecutionContext) {
  const clock = stopClock(t);
  const events = new Events(() => []);
  const stream = new EventStream(events, async () => ({}));
  events.happened('peer0', 'it was updated', {});
  const received = (): number => {
    const texts: string[] = [];
    stream.subscribe((text) => void texts.push(text))();
    return texts.filter((text) => text.includes('event: event\n')).length;
  };
  return { clock, received };
}

for (const days of [400, -400])
  test.serial(`a wall clock that jumps by ${days} days ends no event, and keeps none`, (t) => {
    const { clock, received } = startStream(t);
    clock.setSystemTime(Date.now() + days * 24 * HOUR);
    t.is(received(), 1);
    clock.tick(24 * HOUR);
    t.is(received(), 1);
    clock.tick(1);
    t.is(received(), 0);
  });
