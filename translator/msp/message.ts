// Reads the fields of a serialized message, without its descriptor.

import { StringError, WireError, WireReader, BYTES, VARINT } from '../../proto/wire.js';
import { concatBytes } from './bytes.js';
import { MspError } from './errors.js';

/** The fields of a message by their numbers. */
export class Fields {
  readonly #bytes = new Map<number, Uint8Array[]>();
  readonly #numbers = new Map<number, bigint>();

  /** @throws MspError if the bytes are not a serialized message */
  constructor(message: Uint8Array) {
    try {
      this.#read(new WireReader(message as Buffer));
    } catch (error) {
      if (error instanceof WireError || error instanceof StringError)
        throw new MspError('BAD_MESSAGE', 'proto: cannot parse invalid wire-format data');
      throw error;
    }
  }

  /** All values of a repeated field of bytes, strings or messages. */
  all(number: number): readonly Uint8Array[] {
    return this.#bytes.get(number) ?? [];
  }

  /** The value of a field of bytes; empty if it is absent. */
  bytes(number: number): Uint8Array {
    return this.all(number).at(-1) ?? new Uint8Array();
  }

  /** The value of a field of text. @throws MspError if it is not UTF-8 */
  text(number: number): string {
    try {
      return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.bytes(number));
    } catch {
      throw new MspError('BAD_MESSAGE', 'string field contains invalid UTF-8');
    }
  }

  /** The value of a message field; undefined if it is absent. Several occurrences are merged, as protobuf requires. */
  message(number: number): Fields | undefined {
    const all = this.all(number);
    return all.length === 0 ? undefined : new Fields(concatBytes(...all));
  }

  /** The value of a field of numbers; 0 if it is absent. */
  number(number: number): bigint {
    return this.#numbers.get(number) ?? 0n;
  }

  #read(reader: WireReader): void {
    while (reader.pos < reader.len) {
      const tag = reader.tag();
      const field = tag >>> 3;
      if ((tag & 7) === BYTES) {
        const value = reader.bytes();
        const values = this.#bytes.get(field);
        if (values === undefined) this.#bytes.set(field, [value]);
        else values.push(value);
      } else if ((tag & 7) === VARINT) {
        const { low, high } = reader.varint64();
        this.#numbers.set(field, (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0));
      } else reader.skip(tag);
    }
  }
}
