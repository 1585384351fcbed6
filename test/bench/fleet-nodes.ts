// Stand-ins of many nodes, all in one process: `node fleet-nodes.js COUNT LINES [churn]`. Sends its ports to the parent process. With
// `churn` all series of a scrape are new, and those of the scrape before are gone.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [count = 0, lines = 0] = process.argv.slice(2, 4).map(Number);
const isChurning = process.argv[4] === 'churn';
const STARTED = Math.floor(Date.now() / 1000) - 3600;
/** How many lines a histogram series has. */
const LINES_OF_HISTOGRAM = 13;
let scrapes = 0;

const ports = await Promise.all(
  Array.from({ length: count }, async () => {
    const server = createServer((request, response) => {
      response.setHeader('Content-Type', 'text/plain; version=0.0.4');
      if (request.url === '/metrics') response.end(exposition((scrapes += 1)));
      else response.end('{"status":"OK","time":"2026-01-01T00:00:00Z"}');
    });
    server.keepAliveTimeout = 60_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return (server.address() as AddressInfo).port;
  }),
);
process.send?.(ports);

/** A quarter of the lines are counters, a quarter gauges, half belong to histograms; all values grow. */
function exposition(time: number): string {
  const parts = [
    `# TYPE process_start_time_seconds gauge\nprocess_start_time_seconds ${STARTED}\n`,
    '# HELP endorser_calls Calls.\n# TYPE endorser_calls counter\n',
  ];
  for (let n = 0; n < lines / 4; n += 1)
    parts.push(`endorser_calls{${labelsOf(n, time)}} ${1000 + n * time}\n`);
  parts.push('# HELP ledger_level Level.\n# TYPE ledger_level gauge\n');
  for (let n = 0; n < lines / 4; n += 1) parts.push(`ledger_level{${labelsOf(n, time)}} ${n + time}\n`);
  parts.push('# HELP ledger_took Time.\n# TYPE ledger_took histogram\n');
  for (let n = 0; n < lines / 2 / LINES_OF_HISTOGRAM; n += 1) parts.push(histogram(n, time));
  return parts.join('');
}

function labelsOf(n: number, time: number): string {
  const version = isChurning ? time : 1;
  return `channel="ch${n % 10}${isChurning ? `-${time}` : ''}",chaincode="cc${n}:${version}.0"`;
}

function histogram(n: number, time: number): string {
  const labels = labelsOf(n, time);
  const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
  const buckets = bounds.map(
    (le, index) => `ledger_took_bucket{${labels},le="${le}"} ${time * Math.min(index + 1, 4)}\n`,
  );
  const total = time * 4;
  return `${buckets.join('')}ledger_took_bucket{${labels},le="+Inf"} ${total}\nledger_took_sum{${labels}} ${time * 0.1}\nledger_took_count{${labels}} ${total}\n`;
}
