// `npm run bench [-- PART…]`: prints ratios measured in one run with their budgets. `-- --readme` runs all parts and writes the
// results into test/bench/README.md. `churn` runs only when it is named. Each part runs in a process of its own: in one with the large heap
// of the parts before, garbage collection takes longer.

import { fork } from 'node:child_process';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { benchAgentMemory } from './agent-memory.js';
import { benchCertificates } from './certificates.js';
import { benchChannelConfig } from './channel-config.js';
import { benchChannelPage } from './channel-page.js';
import { writeResults } from './documents.js';
import { benchChurn } from './churn.js';
import { benchFleet } from './fleet.js';
import { benchHealthz } from './healthz.js';
import { benchLoad } from './load.js';
import { benchMetrics } from './metrics.js';
import { benchPage } from './page.js';
import { benchRelay } from './relay.js';
import { table, type Row } from './report.js';
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
  ['page', async () => [...(await benchPage()), ...(await benchChannelPage())]],
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

/** Runs one part in a new process, which sends its rows. */
async function runPart(name: string): Promise<readonly Row[]> {
  const child = fork(fileURLToPath(import.meta.url), [name]);
  const rows: Row[] = [];
  child.on('message', (message) => rows.push(...(message as Row[])));
  const status = await new Promise((resolve) => child.on('exit', resolve));
  if (status !== 0) throw new Error(`the part ${name} ended with status ${String(status)}`);
  return rows;
}

async function runAll(): Promise<void> {
  const machine = `Node ${process.versions.node}, ${cpus().length} cores, ${cpus()[0]?.model ?? ''}`;
  console.log(`${machine}\n`);
  const rows: Row[] = [];
  for (const name of PARTS.keys())
    if (wanted.length === 0 ? !ON_REQUEST.has(name) : wanted.includes(name))
      rows.push(...(await runPart(name)));
  console.log(table(rows));
  if (isForReadme) writeResults(rows, `${machine}, ${new Date().toISOString().slice(0, 10)}`);
}

// Only the process of a part has a parent that receives messages.
if (process.send === undefined) await runAll();
else process.send(await PARTS.get(wanted[0] ?? '')?.());
process.exit();
