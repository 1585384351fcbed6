// `npm run bench [-- PART…]`: figures as ratios taken in one run, beside their budgets. `-- --readme` runs all parts and puts the
// figures into the README.

import { cpus } from 'node:os';
import { benchAgentMemory } from './agent-memory.js';
import { benchHealthz } from './healthz.js';
import { benchLoad } from './load.js';
import { benchMetrics } from './metrics.js';
import { writeFigures } from './readme.js';
import { table, type Row } from './report.js';
import { benchStatsd } from './statsd.js';
import { benchTranslator } from './translator.js';

const PARTS: ReadonlyMap<string, () => Promise<Row[]>> = new Map([
  ['memory', benchAgentMemory],
  ['healthz', benchHealthz],
  ['load', benchLoad],
  ['metrics', benchMetrics],
  ['statsd', benchStatsd],
  ['translator', benchTranslator],
]);

const args = process.argv.slice(2);
const isForReadme = args.length === 1 && args[0] === '--readme';
const wanted = isForReadme ? [] : args;
const unknown = wanted.filter((name) => !PARTS.has(name));
if (unknown.length > 0)
  throw new Error(`no part ${unknown.join(', ')}; there are ${[...PARTS.keys()].join(', ')}; or --readme`);

const machine = `Node ${process.versions.node}, ${cpus().length} cores, ${cpus()[0]?.model ?? ''}`;
console.log(`${machine}\n`);
const rows: Row[] = [];
for (const [name, bench] of PARTS)
  if (wanted.length === 0 || wanted.includes(name)) rows.push(...(await bench()));
console.log(table(rows));
if (isForReadme)
  writeFigures('README.md', `${machine}, ${new Date().toISOString().slice(0, 10)}:\n\n${table(rows)}`);
process.exit();
