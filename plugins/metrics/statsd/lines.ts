// Lines of the StatsD protocol, formatted by node-statsd, which is given a socket that only keeps what is sent.

import { StatsD } from 'node-statsd';
import type { Sample } from '../../../core/contract/index.js';
import { bucketOf, normalPrefix, type TagStyle } from './buckets.js';

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
  #lines: Buffer[] = [];

  constructor(options: LineOptions) {
    this.#options = options;
    const client = new StatsD({ prefix: normalPrefix(options.prefix) });
    client.socket.close();
    const keep = { send: (line: Buffer) => void this.#lines.push(line, NEWLINE), close: () => undefined };
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
    const { name, tags } = bucketOf(sample, this.#options.tags);
    if (this.#options.network === 'tcp')
      this.#send(ascii(name), fixed(value), type, undefined, tags.map(ascii));
    else this.#send(name, fixed(value), type, undefined, tags);
    const line = Buffer.concat(this.#lines);
    this.#lines = [];
    return line;
  }
}

const NEWLINE = Buffer.from('\n');
const ascii = (text: string): string => text.replaceAll(/[^ -~]/gu, '_');
/** From here on toFixed writes an exponent. */
const EXPONENT_FROM = 1e21;

/** Six decimals, as a Fabric node writes values. */
function fixed(value: number): string {
  return Math.abs(value) < EXPONENT_FROM ? value.toFixed(6) : `${BigInt(value)}.000000`;
}
