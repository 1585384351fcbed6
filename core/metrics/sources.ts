// All sources of an agent.

import { limitCalls } from '../common/flow/limit-calls.js';
import { within, type SourceReading, type SourceReadings, type SourceState } from '../contract/index.js';
import type { ChannelList } from '../contract/internal/index.js';
import type { NodeEndpoint } from '../contract/metric-source.js';
import type { SourceRunner } from './source-runner.js';
import type { SourceTotals } from './source-totals.js';

/** A source with a successful and recent reading. */
export interface LiveSource {
  readonly name: string;
  /** The name of the node if there are several nodes or it is always labelled: a label in scrapes, the prefix of buckets in StatsD. */
  readonly node: string | undefined;
  /** The kind of the node; undefined for a source that does not read a node. */
  readonly nodeKind: NodeEndpoint['kind'] | undefined;
  readonly reading: SourceReading;
  readonly totals: SourceTotals;
  /** Logs and counts a family of the source that is not relayed; once per family. */
  skip(family: string, why: string): void;
}

/** Maximum number of concurrent readings. With hundreds at once, the timeout of each reading would include time of all others. */
const MAX_READINGS = 32;

/** How long a caller waits for one reading, in milliseconds. The reading itself continues. */
interface ReadTimeouts {
  readonly usual: number;
  /** After a failed reading. */
  readonly afterFailure: number;
}

/**
 * One node that hangs must not delay the others. After a failed reading, a caller waits only as long as a refused connection takes.
 */
const TIMEOUTS: ReadTimeouts = { usual: 2_000, afterFailure: 250 };

/** How long a checker waits for new readings, in milliseconds. */
const READ_TIMEOUT = 5_000;

/** How sources are read; times in milliseconds. */
interface UpdateOptions {
  /** How long to wait; by default only the limit for each reading applies. */
  readonly timeout?: number | undefined;
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** The age from which on a reading is too old. */
  readonly maxAge?: number | undefined;
}

/** The sources of an agent, in the order of their declaration. */
export class Sources implements SourceReadings {
  readonly #runners: SourceRunner[] = [];
  readonly #growthSinks = new Set<object>();
  readonly #limited = limitCalls(MAX_READINGS);
  readonly #timeouts: ReadTimeouts;
  readonly #labelled: ReadonlySet<string>;
  readonly logLines: SourceReadings['logLines'];

  /**
   * @param labelled the names of the nodes that always get the label `node`
   * @param logLines see {@link SourceReadings.logLines}
   */
  constructor(
    labelled: readonly string[] = [],
    timeouts = TIMEOUTS,
    logLines: SourceReadings['logLines'] = async () => [],
  ) {
    this.#labelled = new Set(labelled);
    this.#timeouts = timeouts;
    this.logLines = logLines;
  }

  /** Adds a source. */
  add(runner: SourceRunner): void {
    this.#runners.push(runner);
    for (const sink of this.#growthSinks) runner.totals.addSink(sink);
  }

  /**
   * Adds a sink to all totals, which keep growth until the sink accepts it.
   *
   * @returns a function that removes the sink
   */
  addGrowthSink(sink: object): () => void {
    this.#growthSinks.add(sink);
    for (const { totals } of this.#runners) totals.addSink(sink);
    return () => {
      this.#growthSinks.delete(sink);
      for (const { totals } of this.#runners) totals.removeSink(sink);
    };
  }

  /** The last states of the sources in the order of their declaration. Reads nothing. */
  latest(): readonly SourceState[] {
    return this.#runners.map(({ state }) => state);
  }

  /** @param options as in {@link SourceReadings}; with `kind` only nodes of this kind are read */
  async read({
    kind,
    maxAge,
    signal,
  }: {
    readonly kind?: NodeEndpoint['kind'];
    readonly maxAge?: number;
    readonly signal: AbortSignal;
  }): Promise<readonly SourceState[]> {
    const runners =
      kind === undefined ? this.#runners : this.#runners.filter(({ nodeKind }) => nodeKind === kind);
    if (maxAge !== Infinity) await this.#update(runners, { timeout: READ_TIMEOUT, signal, maxAge });
    return this.latest();
  }

  /** Removes the series of channels that a source no longer has; no effect if there is no such source. */
  keepChannels(source: string, channels: ChannelList): void {
    this.#runners.find(({ name }) => name === source)?.keepChannels(channels);
  }

  /**
   * Reads all sources again if their last reading is too old.
   *
   * @param timeout how long to wait, in milliseconds; by default only the limit for each reading applies
   * @param signal ends the wait
   * @returns the sources that were read; a source that is still being read is omitted
   */
  async live(timeout?: number, signal?: AbortSignal): Promise<readonly LiveSource[]> {
    const late = await this.#update(this.#runners, { timeout, signal });
    return this.#runners.flatMap((runner) => {
      const { reading } = runner.state;
      if (reading === undefined || late.has(runner)) return [];
      const node = this.#nodeOf(runner);
      return [
        {
          name: runner.name,
          node,
          nodeKind: runner.nodeKind,
          reading,
          totals: runner.totals,
          skip: (family, why) => runner.skip(`family ${family}`, why),
        },
      ];
    });
  }

  /** Reads sources again if their last reading is too old. @returns the sources that are still being read */
  async #update(
    runners: readonly SourceRunner[],
    { timeout, signal, maxAge }: UpdateOptions,
  ): Promise<ReadonlySet<SourceRunner>> {
    const update = (runner: SourceRunner): Promise<void> => {
      const { usual, afterFailure } = this.#timeouts;
      const wait = runner.state.reason === undefined ? usual : afterFailure;
      return this.#limited(() => within(wait, 'the reading', undefined, () => runner.update(maxAge)));
    };
    const outcomes = await Promise.allSettled(
      runners.map((runner) =>
        timeout === undefined ? update(runner) : within(timeout, 'the reading', signal, () => update(runner)),
      ),
    );
    const late = new Set(runners.filter((_, index) => outcomes[index]?.status === 'rejected'));
    if (signal?.aborted !== true) for (const runner of late) runner.recordLate();
    return late;
  }

  /** The label `node` of a source. Sources of nodes have it if there are several of them; the same holds for other sources. */
  #nodeOf({ name, isNode }: SourceRunner): string | undefined {
    const isOne = this.#runners.filter((other) => other.isNode === isNode).length === 1;
    return isOne && !this.#labelled.has(name) ? undefined : name;
  }
}
