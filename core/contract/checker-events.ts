// The events that a health checker emits for changes that are neither failures nor recoveries.

import { onOneLine } from '../common/text/one-line.js';
import { reasonOf } from './errors.js';

/** An event of a health checker, such as a new config block of a channel. */
export interface CheckerEvent {
  /** The subject; the event has the component `<component of the checker>/<this>`. Omitted: the component of the checker. */
  readonly component?: string;
  /** Of all events with the same id, from any checker, only the first is passed on. Omitted: the event is always passed on. */
  readonly id?: string;
  /** Describes the event for users. */
  readonly reason: string;
  /** Additional data for programs. A name has letters, digits and `_`. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** Emits events. */
export interface CheckerEvents {
  /**
   * Emits an event: notifiers and `/events` get an event of the state `info`. Long texts are truncated and hidden
   * characters escaped. At most {@link MAX_CHECKER_EVENTS} events in a minute are passed on; others are dropped and counted as
   * faults of the plugin.
   *
   * @throws TypeError if the reason is missing, or a name or a value is invalid
   */
  readonly notice: (event: CheckerEvent) => void;
}

/** Maximum number of events of one checker in {@link CHECKER_EVENTS_WINDOW}. */
export const MAX_CHECKER_EVENTS = 100;
/** Milliseconds. */
export const CHECKER_EVENTS_WINDOW = 60_000;

/** Longest name of a part and longest id, in UTF-16 units. */
const MAX_NAME = 256;
/** Maximum number of fields of an event; others are dropped. */
const MAX_FIELDS = 20;
/** Longest value of a field, in UTF-16 units. */
const MAX_VALUE = 1024;
const FIELD_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

/**
 * Returns the event with texts on one line and within the limits.
 *
 * @throws TypeError if the reason is missing, or a name or a value is invalid
 */
export function limitedEvent({
  component = '',
  id = '',
  reason,
  fields = {},
}: CheckerEvent): Required<CheckerEvent> {
  for (const [name, value] of Object.entries({ component, id }))
    if (typeof value !== 'string') throw new TypeError(`the ${name} of an event must be a string`);
  if (typeof reason !== 'string' || reason.trim() === '')
    throw new TypeError('the reason of an event must be a string that is not empty');
  const invalid = Object.entries(fields).find(
    ([name, value]) => !FIELD_NAME.test(name) || typeof value !== 'string',
  );
  if (invalid !== undefined)
    throw new TypeError(
      `the field ${JSON.stringify(invalid[0].slice(0, MAX_VALUE))} of an event must have a name of letters, digits and '_', and a string as value`,
    );
  return {
    component: truncated(onOneLine(component), MAX_NAME),
    id: truncated(id, MAX_NAME),
    reason: reasonOf(onOneLine(reason)),
    fields: Object.fromEntries(
      Object.entries(fields)
        .slice(0, MAX_FIELDS)
        .map(([name, value]) => [name, truncated(onOneLine(value), MAX_VALUE)]),
    ),
  };
}

const truncated = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text;
