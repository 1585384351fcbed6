// Sends lines as packets over a transport.

import { createYielder } from '../contract/index.js';
import { Packer, type Packet } from './packets.js';
import type { Transport } from './transport.js';

/** How many samples are written between two reads of the clock. */
const SAMPLES_PER_CHECK = 64;

/** The lines of one sample without the last line feed; undefined when the protocol cannot represent it. */
export type Lines = Buffer | undefined;

/** Sends the lines of one flush. Other code can run in between. */
export class LineSender {
  readonly #transport: Transport;
  readonly #dropped: (reason: 'value' | 'length', samples: number) => void;
  readonly #signal: AbortSignal;
  readonly #yieldIfDue = createYielder(SAMPLES_PER_CHECK);
  #packer: Packer;

  /** @param dropped called with samples that cannot be sent */
  constructor(
    transport: Transport,
    dropped: (reason: 'value' | 'length', samples: number) => void,
    signal: AbortSignal,
  ) {
    this.#transport = transport;
    this.#dropped = dropped;
    this.#signal = signal;
    this.#packer = new Packer(transport.maxPacket, false);
  }

  /** Adds the lines of one sample. Undefined unless there is something to wait for: a promise for each line costs more than the line. */
  add(lines: Lines): Promise<void> | undefined {
    let packet: Packet | undefined;
    if (lines === undefined) this.#dropped('value', 1);
    else if (this.#packer.fits(lines)) packet = this.#packer.add(lines);
    else this.#dropped('length', 1);
    const nextTurn = this.#yieldIfDue();
    return packet === undefined && nextTurn === undefined ? undefined : this.#wait(packet, nextTurn);
  }

  /**
   * Sends the last lines.
   *
   * @param isTiming whether the lines that follow are observations
   */
  async flush(isTiming = false): Promise<void> {
    const rest = this.#packer.take();
    if (rest !== undefined) await this.#transport.send(rest);
    this.#packer = new Packer(this.#transport.maxPacket, isTiming);
  }

  async #wait(packet: Packet | undefined, nextTurn: Promise<void> | undefined): Promise<void> {
    if (packet !== undefined) await this.#transport.send(packet);
    await nextTurn;
    this.#signal.throwIfAborted();
  }
}
