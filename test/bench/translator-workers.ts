// Two worker processes of configtxlator against one.

import { responseRate } from './http-client.js';
import { median, row, type Row } from './report.js';
import { sizeOf } from './translator-inputs.js';
import { OURS, startService } from './translator-server.js';

const ROUNDS = 5;
const SECONDS = 2;
const CLIENTS = 8;

/** One row: the rate of decoding. */
export async function benchTranslatorWorkers(block: Buffer): Promise<Row[]> {
  const one = await startService(OURS);
  const two = await startService(OURS, ['--workers', '2']);
  const rateOf = async (port: number): Promise<number> =>
    responseRate({
      port,
      path: '/protolator/decode/common.Block',
      body: block,
      connections: CLIENTS,
      seconds: SECONDS,
    });
  const rounds: [one: number, two: number][] = [];
  // Alternating, because the machine's speed varies; the first round warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const rates: [number, number] = [await rateOf(one.port), await rateOf(two.port)];
    if (round > 0) rounds.push(rates);
  }
  one.child.kill();
  two.child.kill();
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
