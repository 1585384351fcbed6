// `npm run bench [-- PART…]`: prints ratios measured in one run with their budgets. `-- --readme` runs all parts and writes the
// results into test/bench/README.md. `churn` runs only when it is named.

import { cpus } from 'node:os';
import { benchAgentMemory } from './agent-memory.js';
import { benchCertificates } from './certificates.js';
import { benchChannelConfig } from './channel-config.js';
import { writeResults } from './documents.js';
import { benchChurn } from './churn.js';
import { benchFleet } from './fleet.js';
import { benchHealthz } from './healthz.js';
import { benchLoad } from './load.js';
import { benchMetrics } from './metrics.js';
import { benchPage } from './page.js';
import { benchRelay } from './relay.js';
import { table, type Row } from './report.js';
import { benchScrolling } from './scrolling.js';
import { benchStatsd } from './statsd.js';
import { benchTranslator } from './translator.js';

const PARTS: ReadonlyMap<string, () => Promise<Row[]>> = new Map([
  ['memory', benchAgentMemory],
  ['certificates', benchCertificates],
  ['channel-config', benchChannelConfig],
  ['churn', benchChurn],
  ['fleet', benchFleet],
  ['healthz', benchHealthz],
  ['load', benchLoad],
  ['metrics', benchMetrics],
  ['page', async () => [...(await benchPage()), ...(await benchScrolling())]],
  ['relay', benchRelay],
  ['statsd', benchStatsd],
  ['translator', benchTranslator],
]);

/** Parts that take ten minutes. */
const ON_REQUEST: ReadonlySet<string> = new Set(['churn']);

const args = process.argv.slice(2);
const isForReadme = args.length === 1 && args[0] === '--readme';
const wanted = isForReadme ? [] : args;
const unknown = wanted.filter((name) => !PARTS.has(name));
if (unknown.length > 0)
  throw new Error(
    `unknown part ${unknown.join(', ')}; allowed are ${[...PARTS.keys()].join(', ')}, or --readme`,
  );

const machine = `Node ${process.versions.node}, ${cpus().length} cores, ${cpus()[0]?.model ?? ''}`;
console.log(`${machine}\n`);
const rows: Row[] = [];
for (const [name, bench] of PARTS)
  if (wanted.length === 0 ? !ON_REQUEST.has(name) : wanted.includes(name)) rows.push(...(await bench()));
console.log(table(rows));
if (isForReadme) writeResults(rows, `${machine}, ${new Date().toISOString().slice(0, 10)}`);
process.exit();
