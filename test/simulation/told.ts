// What the receivers were told.

import type { Delivered, SimulatedReceiver } from './receiver.js';
import { addressOf } from './setup.js';

/** Returns true if an event is a failure or a warning. */
export const isProblem = ({ event: { state } }: Delivered): boolean =>
  state === 'failed' || state === 'warning';

/** The components that an event is about. */
export const componentsOf = ({
  event: { component, components = [component] },
}: Delivered): readonly string[] => components;

/** Returns true if an event is about something, or its reason names it: a node also by its address. */
export function names(delivered: Delivered, name: string): boolean {
  const { reason } = delivered.event;
  const short = name.replace(/^channels\//, '');
  const words = new Set(reason.split(/[^\w.:/-]+/).map((word) => word.replace(/[.:]+$/, '')));
  return componentsOf(delivered).includes(name) || words.has(short) || words.has(addressOf(name));
}

/** The last event about a component until a time. */
export const lastAbout = (
  { delivered }: SimulatedReceiver,
  id: string,
  until: number,
): Delivered | undefined =>
  delivered.findLast(({ at, event }) => at <= until && event.id === id && event.state !== 'info');

/**
 * Returns true if a receiver knows of a problem: it was told since its beginning, or before, and that has not recovered.
 *
 * @param isMeant whether an event tells it
 */
export function knows(
  receiver: SimulatedReceiver,
  { from, until }: { readonly from: number; readonly until: number },
  isMeant: (delivered: Delivered) => boolean,
): boolean {
  return receiver.delivered.some(
    (each) =>
      each.at <= until &&
      isProblem(each) &&
      isMeant(each) &&
      (each.at >= from || lastAbout(receiver, each.event.id, from) === each),
  );
}
