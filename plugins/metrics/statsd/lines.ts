// Formats samples as lines of the StatsD protocol, with node-statsd. No other file uses that package.

import type { Socket } from 'node:dgram';
import { StatsD } from 'node-statsd';
import type { Sample } from '../../../core/contract/index.js';
import { type Bucket, createBuckets, normalPrefix, type TagStyle } from '../../../core/kit/index.js';

/** How lines are written. */
export interface LineOptions {
  readonly prefix: string;
  readonly tags: TagStyle;
  /** The unit of timings on the wire; observations are in seconds. */
  readonly timingUnit: 'milliseconds' | 'seconds';
  /**
   * Lines for tcp are ASCII: there the StatsD daemon clears the highest bit of each byte it reads, which turns some letters into
   * line feeds and colons.
   *
   * @default udp
   */
  readonly network?: 'udp' | 'tcp';
}

/** The metric types of StatsD that are used. */
type Method = 'increment' | 'gauge' | 'timing';

/** A client of node-statsd that keeps each line instead of sending it. */
class LineClient extends StatsD {
  /** The newest line. */
  line: Buffer = Buffer.alloc(0);

  constructor(prefix: string) {
    super({ prefix });
    // The client has opened a socket, and calls only `send` of its public member `socket`, once per line.
    this.close();
    this.socket = { send: (line: Buffer) => void (this.line = line) } as unknown as Socket;
  }
}

/** Writes each sample as one line, or as two; without a line feed at the end. */
export class LineWriter {
  readonly #options: LineOptions;
  readonly #client: LineClient;
  readonly #bucketOf: (sample: Sample, suffix?: string) => Bucket;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#bucketOf = createBuckets(options.tags);
    const prefix = normalPrefix(options.prefix);
    this.#client = new LineClient(options.network === 'tcp' ? ascii(prefix) : prefix);
  }

  /** The number of units on the wire in a second. */
  get timingFactor(): number {
    return this.#options.timingUnit === 'seconds' ? 1 : 1000;
  }

  /**
   * The growth of a counter. Undefined for a value that StatsD cannot represent, like the other methods.
   *
   * @param suffix the last part of the bucket name, with its dot
   */
  counter(sample: Sample, suffix = ''): Buffer | undefined {
    return this.#write('increment', sample, sample.value, suffix);
  }

  /** The value of a gauge. A negative value has two lines, since StatsD reads a sign as a relative change. */
  gauge(sample: Sample): Buffer | undefined {
    if (!(sample.value < 0)) return this.#write('gauge', sample, sample.value);
    const reset = this.#write('gauge', sample, 0);
    const value = this.#write('gauge', sample, sample.value);
    return reset === undefined || value === undefined ? undefined : Buffer.concat([reset, LINE_FEED, value]);
  }

  /** One observation. StatsD does not accept negative ones. */
  timing(sample: Sample): Buffer | undefined {
    return this.timingOnWire(sample, sample.value * this.timingFactor);
  }

  /** An observation that is in the unit on the wire; the value of the sample is not used. */
  timingOnWire(sample: Sample, value: number): Buffer | undefined {
    return value < 0 ? undefined : this.#write('timing', sample, value);
  }

  #write(method: Method, sample: Sample, value: number, suffix = ''): Buffer | undefined {
    if (!Number.isFinite(value)) return undefined;
    const bucket = this.#bucketOf(sample, suffix);
    const { name, tags } = this.#options.network === 'tcp' ? asciiBucket(bucket) : bucket;
    // node-statsd writes the value as it is, so a string has the decimals that are wanted.
    this.#client[method](name, fixed(value) as unknown as number, undefined, tags);
    return this.#client.line;
  }
}

const LINE_FEED = Buffer.from('\n');
const NOT_ASCII = /[^ -~]/u;
const ascii = (text: string): string => (NOT_ASCII.test(text) ? text.replaceAll(/[^ -~]/gu, '_') : text);

function asciiBucket({ name, tags }: Bucket): Bucket {
  return { name: ascii(name), tags: tags.map(ascii) };
}

/** From this value on, `toFixed` writes an exponent. */
const EXPONENT_FROM = 1e21;

/** Writes six decimals, as a Fabric node does. */
function fixed(value: number): string {
  return Math.abs(value) < EXPONENT_FROM ? value.toFixed(6) : `${BigInt(value)}.000000`;
}
