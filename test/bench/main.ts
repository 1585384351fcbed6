// `npm run bench [-- PART…]`: figures as ratios taken in one run, beside their budgets.

import { cpus } from 'node:os';
import { benchHealthz } from './healthz.js';
import { benchLoad } from './load.js';
import { benchMetrics } from './metrics.js';
import { table, type Row } from './report.js';
import { benchStatsd } from './statsd.js';
import { benchTranslator } from './translator.js';

const PARTS: ReadonlyMap<string, () => Promise<Row[]>> = new Map([
  ['healthz', benchHealthz],
  ['load', benchLoad],
  ['metrics', benchMetrics],
  ['statsd', benchStatsd],
  ['translator', benchTranslator],
]);

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !PARTS.has(name));
if (unknown.length > 0)
  throw new Error(`no part ${unknown.join(', ')}; there are ${[...PARTS.keys()].join(', ')}`);

console.log(`Node ${process.versions.node}, ${cpus().length} cores, ${cpus()[0]?.model ?? ''}\n`);
const rows: Row[] = [];
for (const [name, bench] of PARTS)
  if (wanted.length === 0 || wanted.includes(name)) rows.push(...(await bench()));
console.log(table(rows));
process.exit();
