// Decoding over HTTP with one and with eight clients, compared with calling the function.

import autocannon from 'autocannon';
import { decode } from '../../translator/index.js';
import { rowWithoutBudget, type Row } from './report.js';
import { sizeOf } from './translator-inputs.js';
import { OURS, withServices } from './translator-server.js';

const SECONDS = 3;
const WARM_UP_SECONDS = 1;
const CLIENTS = [1, 8];

/** Requests per second of a service that decodes a block. */
export async function requestRate(
  port: number,
  block: Buffer,
  connections: number,
  duration = SECONDS,
): Promise<number> {
  const { requests, errors, non2xx } = await autocannon({
    url: `http://127.0.0.1:${port}/protolator/decode/common.Block`,
    method: 'POST',
    body: block,
    connections,
    duration,
  });
  if (errors > 0 || non2xx > 0) throw new Error(`${errors} errors and ${non2xx} responses other than 2xx`);
  return requests.average;
}

function callRate(block: Buffer): number {
  const end = performance.now() + SECONDS * 1000;
  let calls = 0;
  for (; performance.now() < end; calls += 1) decode('common.Block', block);
  return calls / SECONDS;
}

/** One row for each number of clients. */
export function benchTranslatorHttp(block: Buffer): Promise<Row[]> {
  return withServices([[OURS]], async (service) => {
    const { port } = service;
    await requestRate(port, block, 1, WARM_UP_SECONDS);
    const calls = callRate(block);
    const rows: Row[] = [];
    for (const clients of CLIENTS) {
      const rate = await requestRate(port, block, clients);
      const what = `decode of ${sizeOf(block)} over HTTP, clients: ${clients}, against calls of decode`;
      rows.push(rowWithoutBudget(what, rate / calls, `${Math.round(rate)} requests/s`));
    }
    return rows;
  });
}
