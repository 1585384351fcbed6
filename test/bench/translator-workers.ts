// Two worker processes of configtxlator against one.

import { responseRate } from './http-client.js';
import { median, row, type Row } from './report.js';
import { sizeOf } from './translator-inputs.js';
import { OURS, withServices } from './translator-server.js';

const ROUNDS = 5;
const SECONDS = 2;
const CLIENTS = 8;

/** One row: the rate of decoding. */
export async function benchTranslatorWorkers(block: Buffer): Promise<Row[]> {
  const rounds = await withServices([[OURS], [OURS, ['--workers', '2']]], async (one, two) => {
    const measured: [one: number, two: number][] = [];
    // Alternating, because the machine's speed varies; the first round warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const rates: [number, number] = [await rateOf(one.port, block), await rateOf(two.port, block)];
      if (round > 0) measured.push(rates);
    }
    return measured;
  });
  const [single, double] = [0, 1].map((at) => Math.round(median(rounds.map((each) => each[at]!))));
  return [
    row(
      `decode of ${sizeOf(block)} over HTTP, clients: ${CLIENTS}, with two workers against one`,
      median(rounds.map(([with1, with2]) => with2 / with1)),
      '>=',
      1.7,
      `${double} requests/s, one worker ${single}`,
    ),
  ];
}

const rateOf = (port: number, body: Buffer): Promise<number> =>
  responseRate({
    port,
    path: '/protolator/decode/common.Block',
    body,
    connections: CLIENTS,
    seconds: SECONDS,
  });
