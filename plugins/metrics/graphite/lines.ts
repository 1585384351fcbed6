// Formats samples as lines of the plaintext protocol of Graphite: name, value and time, separated by spaces.

import type { HistogramGrowth, Sample } from '../../../core/contract/index.js';
import {
  type Bucket,
  createBuckets,
  type NodePrefix,
  normalPrefix,
  plainName,
} from '../../../core/kit/metrics.js';

/** The form of names. */
export interface LineOptions {
  readonly prefix: string;
  /** Labels in the name, as Fabric nodes do, or as tags. */
  readonly tags: 'none' | 'graphite';
  /** The form of the node name if there are several nodes. @default escaped */
  readonly nodePrefix?: NodePrefix;
}

/** An empty part of a name: no file can have this name. */
const EMPTY_PART = /(?<=\.)(?=\.|$)/g;

/** Writes each value as one line, without a line feed. */
export class LineWriter {
  readonly #options: LineOptions;
  readonly #prefix: string;
  readonly #bucketOf: (sample: Sample, suffix?: string) => Bucket;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#prefix = normalPrefix(options.prefix);
    this.#bucketOf = createBuckets(options.tags, options.nodePrefix);
  }

  /**
   * The line of a counter or gauge. Undefined for a value that is not finite.
   *
   * @param time in seconds since the epoch
   * @param suffix the last part of the name, with its dot
   */
  value(sample: Sample, time: number, suffix = ''): Buffer | undefined {
    if (!Number.isFinite(sample.value)) return undefined;
    const { tags } = this.#options;
    const plain = plainName(this.#bucketOf(sample, suffix), tags);
    const name = tags === 'none' ? plain.replaceAll(EMPTY_PART, '_') : plain;
    return Buffer.from(`${this.#prefix}${name} ${sample.value} ${time}`);
  }

  /** The lines of a histogram: its count, its sum, and for each bound the number of observations up to it. */
  *histogram(histogram: HistogramGrowth, time: number): Generator<Buffer | undefined> {
    const { bounds, counts, sum, count, ...sample } = histogram;
    yield this.value({ ...sample, value: count }, time, '.count');
    yield this.value({ ...sample, value: sum }, time, '.sum');
    let upTo = 0;
    for (const [index, bound] of bounds.entries()) {
      upTo += counts[index] ?? 0;
      yield this.#bucket(sample, bound, upTo, time);
    }
  }

  #bucket(sample: Omit<Sample, 'value'>, bound: number, value: number, time: number): Buffer | undefined {
    const text = bound === Infinity ? 'inf' : String(bound);
    if (this.#options.tags === 'none')
      return this.value({ ...sample, value }, time, `.bucket.${text.replace('.', '_')}`);
    return this.value({ ...sample, labels: { ...sample.labels, le: text }, value }, time, '.bucket');
  }
}
