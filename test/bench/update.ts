// An update between two configurations of 240 KB compared with decoding one of them, and one between two of 10 MB.

import { computeUpdate } from '../../translator/update/index.js';
import { largeConfig } from '../helpers/large-config.js';
import { median, row, type Row } from './report.js';

const ROUNDS = 40;
const WARM_UP = 10;
const SMALL = 52;
const LARGE = 2100;

/** @param decode decodes a `common.Config` to JSON */
export function benchUpdate(decode: (config: Uint8Array) => unknown): Row[] {
  const small = pairOf(SMALL);
  const ratios: number[] = [];
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const compared = timed(() => computeUpdate(...small, 'mychannel'));
    const decoded = timed(() => decode(small[0]));
    if (round < WARM_UP) continue;
    ratios.push(compared / decoded);
    times.push(compared);
  }
  const large = pairOf(LARGE);
  const largeTimes = Array.from({ length: 5 }, () => timed(() => computeUpdate(...large, 'mychannel')));
  const growth = median(largeTimes) / large[0].length / (median(times) / small[0].length);
  return [
    row(
      `update of two configs of ${size(small[0])}, against decoding one of them`,
      median(ratios),
      '<=',
      1,
      `${median(times).toFixed(2)} ms`,
    ),
    row(
      `update of two configs of ${size(large[0])}, time per MB against 240 KB`,
      growth,
      '<=',
      12,
      `${median(largeTimes).toFixed(0)} ms`,
    ),
  ];
}

function pairOf(organisations: number): [Buffer, Buffer] {
  return [largeConfig(organisations), largeConfig(organisations, { lastModPolicy: 'Writers' })];
}

const size = (bytes: Uint8Array): string => `${Math.round(bytes.length / 1000)} KB`;

function timed(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
