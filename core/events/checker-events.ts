// The events that a checker emits, limited in number.

import { CHECKER_EVENTS_WINDOW, limitedEvent, MAX_CHECKER_EVENTS } from '../contract/checker-events.js';
import type { Logger } from '../contract/index.js';
import type { CheckerEvents } from '../contract/checker-events.js';
import type { Events } from './events.js';

/** The parts of the agent that the emitter uses. */
export interface CheckerEventsParts {
  readonly events: Pick<Events, 'happened' | 'isKnown'>;
  readonly log: Logger;
  /** Called for each event that is dropped because there were too many. */
  readonly onDropped: () => void;
}

/** Creates the event emitter of a checker. @param component the name of the instance */
export function createCheckerEvents(
  component: string,
  { events, log, onDropped }: CheckerEventsParts,
): CheckerEvents {
  let windowEnd = -Infinity;
  let count = 0;
  return {
    notice(event) {
      const { component: part, id, reason, fields } = limitedEvent(event);
      if (events.isKnown(id)) return;
      const now = performance.now();
      if (now >= windowEnd) {
        windowEnd = now + CHECKER_EVENTS_WINDOW;
        count = 0;
      }
      count += 1;
      if (count <= MAX_CHECKER_EVENTS) {
        events.happened(part === '' ? component : `${component}/${part}`, reason, fields, id);
        return;
      }
      onDropped();
      if (count === MAX_CHECKER_EVENTS + 1)
        log.warn(`more than ${MAX_CHECKER_EVENTS} events in a minute; further ones are dropped`);
    },
  };
}
