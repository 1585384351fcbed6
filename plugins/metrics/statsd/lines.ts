// Lines of the StatsD protocol, formatted by node-statsd, which is given a socket that only keeps what is sent.

import { StatsD } from 'node-statsd';
import type { Sample } from '../../../core/contract/index.js';
import { createBuckets, normalPrefix, type Bucket, type TagStyle } from './buckets.js';

/** How lines are written. */
export interface LineOptions {
  readonly prefix: string;
  readonly tags: TagStyle;
  /** The unit of timings on the wire; observations are in seconds. */
  readonly timingUnit: 'milliseconds' | 'seconds';
  /**
   * Over tcp lines are ASCII: the StatsD daemon clears the highest bit of each byte that it reads there, which makes line feeds and
   * colons of some letters.
   *
   * @default udp
   */
  readonly network?: 'udp' | 'tcp';
}

type Send = (
  stat: string,
  value: string,
  type: string,
  sampleRate: undefined,
  tags: readonly string[],
) => void;

/** Writes samples as lines, each with its newline. */
export class LineWriter {
  readonly #options: LineOptions;
  readonly #send: Send;
  readonly #bucketOf: (sample: Sample) => Bucket;
  /** The line that was sent last. */
  #line: Buffer = NO_LINE;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#bucketOf = createBuckets(options.tags);
    const prefix = normalPrefix(options.prefix);
    const client = new StatsD({ prefix: options.network === 'tcp' ? ascii(prefix) : prefix });
    client.socket.close();
    const keep = { send: (line: Buffer) => void (this.#line = line), close: () => undefined };
    Object.assign(client, { socket: keep });
    this.#send = (client as unknown as { send: Send }).send.bind(client);
  }

  /** What a counter grew by. */
  counter(sample: Sample): Buffer | undefined {
    return this.#write(sample, sample.value, 'c');
  }

  /** The level of a gauge. A negative one is two lines, since a sign means a change to StatsD. */
  gauge(sample: Sample): Buffer | undefined {
    if (!(sample.value < 0)) return this.#write(sample, sample.value, 'g');
    const reset = this.#write(sample, 0, 'g');
    const level = this.#write(sample, sample.value, 'g');
    return reset === undefined || level === undefined ? undefined : Buffer.concat([reset, level]);
  }

  /** One observation. A negative one has no line: to StatsD it is a bad one. */
  timing(sample: Sample): Buffer | undefined {
    if (sample.value < 0) return undefined;
    return this.#write(
      sample,
      this.#options.timingUnit === 'seconds' ? sample.value : sample.value * 1000,
      'ms',
    );
  }

  /** Undefined for a value that no line can carry. */
  #write(sample: Sample, value: number, type: string): Buffer | undefined {
    if (!Number.isFinite(value)) return undefined;
    const bucket = this.#bucketOf(sample);
    const { name, tags } = this.#options.network === 'tcp' ? inAscii(bucket) : bucket;
    const last = tags.at(-1);
    // The newline rides on the last part of the line, which saves copying the line to add it.
    if (last === undefined) this.#send(name, fixed(value), `${type}\n`, undefined, tags);
    else this.#send(name, fixed(value), type, undefined, [...tags.slice(0, -1), `${last}\n`]);
    return this.#line;
  }
}

const NO_LINE = Buffer.alloc(0);
const NOT_ASCII = /[^ -~]/u;
const ascii = (text: string): string => (NOT_ASCII.test(text) ? text.replaceAll(/[^ -~]/gu, '_') : text);

/** What the daemon reads over tcp: it takes the low seven bits of each byte, which could make a newline of a letter. */
function inAscii({ name, tags }: Bucket): Bucket {
  return { name: ascii(name), tags: tags.length === 0 ? tags : tags.map(ascii) };
}

/** From here on toFixed writes an exponent. */
const EXPONENT_FROM = 1e21;

/** Six decimals, as a Fabric node writes values. */
function fixed(value: number): string {
  return Math.abs(value) < EXPONENT_FROM ? value.toFixed(6) : `${BigInt(value)}.000000`;
}
