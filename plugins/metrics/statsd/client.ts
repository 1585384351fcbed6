// Sends samples as lines of the StatsD protocol with node-statsd, through a socket that packs the lines. Only this file uses node-statsd;
// it contains all differences from the defaults of node-statsd.

import type { Socket } from 'node:dgram';
import { StatsD } from 'node-statsd';
import type { HistogramGrowth, Sample } from '../../../core/contract/index.js';
import type { FamilyParts } from '../../../core/contract/internal/index.js';
import type { TagStyle } from '../../../core/kit/internal/index.js';
import {
  createBuckets,
  normalPrefix,
  plainName,
  type Bucket,
  type LineSender,
  type NodePrefix,
} from '../../../core/kit/metrics.js';

/** The form of lines. */
export interface LineOptions {
  readonly prefix: string;
  readonly tags: TagStyle;
  /** The form of the node name if there are several nodes. @default escaped */
  readonly nodePrefix?: NodePrefix;
  /** The unit of timings on the wire; observations are in seconds. */
  readonly timingUnit: 'milliseconds' | 'seconds';
  /**
   * Lines for tcp are ASCII: over TCP the StatsD daemon clears the highest bit of each byte, which turns some letters into line feeds and
   * colons.
   *
   * @default udp
   */
  readonly network?: 'udp' | 'tcp';
}

/** The metric types of StatsD that are used. */
type Method = 'increment' | 'gauge' | 'timing';

/** Receives the lines of each sample, as {@link LineSender.add}; undefined: StatsD cannot represent the sample. */
type LineReceiver = Pick<LineSender, 'add'>;

/**
 * The socket of the client: an object with the method `send` of `node:dgram`, which is called for each line. node-statsd would send each
 * line in a separate UDP datagram; this socket packs the lines, and a transport sends the packets over UDP or TCP.
 */
class PackingSocket {
  receiver: LineReceiver | undefined;
  /** The promise to wait for before the next sample is sent. */
  wait: Promise<void> | undefined;
  /** Lines of one sample, which must arrive together. */
  #lines: Buffer[] | undefined;

  send(line: Buffer): void {
    if (this.#lines === undefined) this.#add(line);
    else this.#lines.push(line, LINE_FEED);
  }

  /** Sends several lines as the lines of one sample. */
  sendTogether(send: () => void): void {
    this.#lines = [];
    send();
    const lines = Buffer.concat(this.#lines.slice(0, -1));
    this.#lines = undefined;
    this.#add(lines);
  }

  #add(lines: Buffer): void {
    if (this.receiver === undefined) throw new Error('there is no flush');
    this.wait = this.receiver.add(lines);
  }
}

/** Sends each sample as one or two lines. The methods return the promise to wait for before the next sample. */
export class SampleClient {
  readonly #options: LineOptions;
  readonly #socket = new PackingSocket();
  readonly #client: StatsD;
  readonly #bucketOf: (sample: Sample, suffix?: string) => Bucket;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#bucketOf = createBuckets(options.tags, options.nodePrefix);
    const prefix = normalPrefix(options.prefix);
    this.#client = new StatsD({ prefix: options.network === 'tcp' ? ascii(prefix) : prefix });
    // The constructor always creates a UDP socket.
    this.#client.close();
    this.#client.socket = this.#socket as unknown as Socket;
  }

  /** The number of units on the wire in a second. */
  get timingFactor(): number {
    return this.#options.timingUnit === 'seconds' ? 1 : 1000;
  }

  /** Sets the receiver of the following samples. */
  sendTo(receiver: LineReceiver): void {
    this.#socket.receiver = receiver;
  }

  /**
   * The growth of a counter.
   *
   * @param suffix the last part of the bucket name, with its dot
   */
  counter(sample: Sample, suffix = ''): Promise<void> | undefined {
    return this.#sendIf(Number.isFinite(sample.value), () =>
      this.#send('increment', sample, sample.value, suffix),
    );
  }

  /** The value of a gauge. A negative value has two lines, since StatsD reads a sign as a relative change. */
  gauge(sample: Sample): Promise<void> | undefined {
    const send = (value: number): void => this.#send('gauge', sample, value);
    return this.#sendIf(Number.isFinite(sample.value), () => {
      if (sample.value >= 0) return send(sample.value);
      return this.#socket.sendTogether(() => {
        send(0);
        send(sample.value);
      });
    });
  }

  /** One observation. StatsD does not accept negative ones. */
  timing(sample: Sample): Promise<void> | undefined {
    return this.timingOnWire(sample, sample.value * this.timingFactor);
  }

  /** An observation in the unit on the wire; the value of the sample is not used. */
  timingOnWire(sample: Sample, value: number): Promise<void> | undefined {
    return this.#sendIf(Number.isFinite(value) && value >= 0, () =>
      this.#send('timing', this.#ofTiming(sample), value),
    );
  }

  /** The growth of a histogram as two counters: the number of its observations, and their sum in the unit of timings. */
  async totals(histogram: HistogramGrowth): Promise<void> {
    const family = this.#ofTiming(histogram);
    await this.counter({ ...family, value: histogram.count }, '.count');
    await this.counter({ ...family, value: histogram.sum * this.timingFactor }, '.sum');
  }

  /** The family with the unit of timings in its name, if its name has one. */
  #ofTiming<Family extends FamilyParts>(family: Family): Family {
    if (this.#options.timingUnit === 'seconds' || !SECONDS.test(family.name)) return family;
    return { ...family, name: family.name.replace(SECONDS, 'milliseconds') };
  }

  /** Sends a sample, or reports that StatsD cannot represent it. */
  #sendIf(isRepresentable: boolean, send: () => void): Promise<void> | undefined {
    if (!isRepresentable) return this.#socket.receiver?.add(undefined);
    send();
    return this.#socket.wait;
  }

  #send(method: Method, sample: Sample, value: number, suffix = ''): void {
    const { tags: style, network } = this.#options;
    const found = this.#bucketOf(sample, suffix);
    // A bucket of a node is the same as in Fabric, which has no tags.
    const isFabrics = style === 'none' && sample.isOfNode === true;
    const bucket = isFabrics ? found : { ...found, name: plainName(found, style) };
    const { name, tags } = network === 'tcp' ? asciiBucket(bucket) : bucket;
    // node-statsd writes the value unchanged, so a string keeps its decimals.
    this.#client[method](name, fixed(value) as unknown as number, undefined, tags);
  }
}

/** The unit at the end of the name of a family. */
const SECONDS = /(?<=^|_)seconds$/;
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
