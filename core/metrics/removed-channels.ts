// Omits the series of channels that a node no longer has. An orderer keeps the gauges of a channel that was removed with osnadmin
// at their last values until it restarts (orderer/common/multichannel, `Registrar.RemoveChannel`).

import type { SourceFamily, SourceReading } from '../contract/index.js';

/** The removed channels of one node. */
export class RemovedChannels {
  #names: ReadonlySet<string> = new Set();
  /** The channels in the current reading when the last list was recorded. */
  #shown: ReadonlySet<string> = new Set();

  /** The removed channels, sorted. */
  get names(): readonly string[] {
    return [...this.#names].toSorted();
  }

  /**
   * Records which channels a node has. A channel is removed if it is in a reading that is older than this list, but not in the list. If it is
   * only in a newer reading, the node may have joined it since. If every list is requested before its reading ends, the reading of the
   * previous list is the older one.
   *
   * @param reading the last complete reading
   * @param isOlder whether the reading ended before the list was requested
   * @returns whether the set of removed channels has changed
   */
  record(channels: readonly string[], reading: SourceReading, isOlder: boolean): boolean {
    const current = new Set(channels);
    const shown = channelsIn(reading);
    const inReading = [...shown].filter(
      (name) => !current.has(name) && (isOlder || this.#names.has(name) || this.#shown.has(name)),
    );
    this.#shown = shown;
    const before = this.#names;
    this.#names = new Set(inReading);
    return before.size !== this.#names.size || inReading.some((name) => !before.has(name));
  }

  /** A reading without the series of removed channels. Unchanged parts are the same objects. */
  without(reading: SourceReading): SourceReading {
    if (this.#names.size === 0) return reading;
    const isKept = ({ labels: { channel } }: SourceFamily['series'][number]): boolean =>
      typeof channel !== 'string' || !this.#names.has(channel);
    const families = reading.families.map((family) =>
      family.series.every(isKept) ? family : { ...family, series: family.series.filter(isKept) },
    );
    return { ...reading, families };
  }
}

function channelsIn({ families }: SourceReading): Set<string> {
  const names = new Set<string>();
  for (const { series } of families)
    for (const { labels } of series) {
      const { channel } = labels;
      if (typeof channel === 'string') names.add(channel);
    }
  return names;
}
