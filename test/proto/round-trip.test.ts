// Round trips of random messages of all types: bytes to JSON to bytes in Fabric's order, without loss.

import test from 'ava';
import * as fc from 'fast-check';
import { decode, encode, messageNames } from '../../proto/index.js';
import { randomMessage } from '../helpers/messages/random-message.js';

const RUNS = 40;

/** An alias, and types that cannot be documents; they are tested inside other messages. */
const OTHERS = new Set(['common.Configuration', 'google.protobuf.Timestamp', 'google.protobuf.Duration']);

for (const type of messageNames().filter((name) => !OTHERS.has(name))) {
  test(`a round trip of ${type} returns the bytes in Fabric's order and the same JSON`, (t) => {
    const roundTrip = fc.property(randomMessage(type), ({ sorted, shuffled }) => {
      const json = decode(type, shuffled);
      const bytes = Buffer.from(encode(type, json));
      t.is(bytes.toString('hex'), sorted.toString('hex'), json);
      t.is(decode(type, bytes), json);
    });
    t.notThrows(() => fc.assert(roundTrip, { numRuns: RUNS }));
  });
}
