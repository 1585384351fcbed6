// What holds for every message: bytes to JSON to bytes gives the bytes in Fabric's order, and nothing is lost either way.

import test from 'ava';
import * as fc from 'fast-check';
import { decode, encode, messageNames } from '../../proto/index.js';
import { randomMessage } from '../helpers/messages/random-message.js';

const RUNS = 40;

/** Names of other types, and types that have no JSON of their own: they are met inside of others. */
const OTHERS = new Set(['common.Configuration', 'google.protobuf.Timestamp', 'google.protobuf.Duration']);

for (const type of messageNames().filter((name) => !OTHERS.has(name))) {
  test(`random messages of ${type} come back in Fabric's order, and their JSON comes back as it was`, (t) => {
    const roundTrip = fc.property(randomMessage(type), ({ tidy, untidy }) => {
      const json = decode(type, untidy);
      const bytes = Buffer.from(encode(type, json));
      t.is(bytes.toString('hex'), tidy.toString('hex'), json);
      t.is(decode(type, bytes), json);
    });
    t.notThrows(() => fc.assert(roundTrip, { numRuns: RUNS }));
  });
}
