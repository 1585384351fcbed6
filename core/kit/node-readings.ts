// Reads what the metrics of a node say.

import { CheckWarning, type SourceReading, type SourceReadings } from '../contract/index.js';

/** A node and its current families. */
export interface NodeReading {
  readonly name: string;
  readonly reading: SourceReading;
}

/**
 * The current reading of a node.
 *
 * @param node the name of its source
 * @throws Error when there is no such source; CheckWarning when it cannot be read
 */
export async function readNode(
  readings: SourceReadings,
  node: string,
  signal: AbortSignal,
): Promise<{ readonly own: NodeReading; readonly others: readonly NodeReading[] }> {
  const states = await readings.refresh(signal);
  signal.throwIfAborted();
  const state = states.find(({ name }) => name === node);
  if (state === undefined) {
    const names = states.map(({ name }) => name).join(', ');
    throw new Error(`options.node: there is no source ${node}; the sources are ${names || 'none'}`);
  }
  if (state.reading === undefined)
    // That the node is down is what its own component says.
    throw new CheckWarning(`the metrics of ${node} cannot be read: ${state.reason ?? 'not read yet'}`);
  const others = states.flatMap(({ name, reading }) =>
    name === node || reading === undefined ? [] : [{ name, reading }],
  );
  return { own: { name: node, reading: state.reading }, others };
}

/** The values of a family by the label `channel`. */
export function valuesByChannel({ families }: SourceReading, family: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const { labels, value } of families.find(({ name }) => name === family)?.series ?? []) {
    const channel = labels['channel'];
    if (typeof channel === 'string' && typeof value === 'number' && Number.isFinite(value))
      values.set(channel, value);
  }
  return values;
}
