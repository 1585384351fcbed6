// Reads the families of the agent together with those of its sources.

import type { FamilySnapshot, MetricReader } from '../contract/index.js';
import { mergeFamilies } from './merge-families.js';
import type { Sources } from './sources.js';

/** How long a scrape waits for the sources, in milliseconds: the rest of its ten seconds is for writing what was read. */
const READ_TIMEOUT = 6_000;

/** What pull sinks read: the families of the agent and those of all sources that can be read now. */
export class RelayReader implements MetricReader {
  readonly #own: MetricReader;
  readonly #sources: Sources;

  constructor(own: MetricReader, sources: Sources) {
    this.#own = own;
    this.#sources = sources;
  }

  async *families(timeout = READ_TIMEOUT): AsyncGenerator<FamilySnapshot> {
    // First, since it changes families of the agent.
    const merged = mergeFamilies(await this.#sources.live(Math.min(timeout, READ_TIMEOUT)));
    let next = 0;
    for await (const family of this.#own.families()) {
      for (; next < merged.length; next += 1) {
        const { snapshot, sources } = merged[next] as (typeof merged)[number];
        if (snapshot.name > family.name) break;
        if (snapshot.name < family.name) yield snapshot;
        else for (const source of sources) source.skip(snapshot.name, 'the agent has a family of this name');
      }
      yield family;
    }
    for (const { snapshot } of merged.slice(next)) yield snapshot;
  }
}
