// `npm run bench [-- PART…]`: prints ratios measured in one run with their budgets, the rows of each part when it has them. `churn` runs only when
// it is named. Exit status 1: something could not be measured.

import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { benchAgentMemory } from './agent-memory.js';
import { benchCertificates } from './certificates.js';
import { benchChannelConfig } from './channel-config.js';
import { benchChannelPage } from './channel-page.js';
import { benchChurn } from './churn.js';
import { fleetPart } from './fleet.js';
import { benchHealthz } from './healthz.js';
import { benchLoad } from './load.js';
import { benchMetrics } from './metrics.js';
import { runMeasurements, runPart, type Part } from './parts.js';
import { benchPage } from './page.js';
import { benchRelay } from './relay.js';
import { TABLE_HEAD, tableLine, type Row } from './report.js';
import { benchStatsd } from './statsd.js';
import { translatorPart } from './translator.js';

const PARTS: ReadonlyMap<string, () => Part> = new Map([
  ['memory', () => ({ memory: benchAgentMemory })],
  ['certificates', () => ({ certificates: benchCertificates })],
  ['channel-config', () => ({ 'channel-config': benchChannelConfig })],
  ['churn', () => ({ churn: benchChurn })],
  ['fleet', fleetPart],
  ['healthz', () => ({ healthz: benchHealthz })],
  ['load', () => ({ load: benchLoad })],
  ['metrics', () => ({ metrics: benchMetrics })],
  ['page', () => ({ 'page of the agent': benchPage, 'channel page': benchChannelPage })],
  ['relay', () => ({ relay: benchRelay })],
  ['statsd', () => ({ statsd: benchStatsd })],
  ['translator', translatorPart],
]);

/** Parts that take ten minutes. */
const ON_REQUEST: ReadonlySet<string> = new Set(['churn']);

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !PARTS.has(name));
if (unknown.length > 0)
  throw new Error(`unknown part ${unknown.join(', ')}; allowed are ${[...PARTS.keys()].join(', ')}`);

async function runAll(): Promise<boolean> {
  const machine = `Node ${process.versions.node}, ${cpus().length} cores, ${cpus()[0]?.model ?? ''}`;
  console.log(`${machine}\n\n${TABLE_HEAD}`);
  const rows: Row[] = [];
  for (const name of PARTS.keys())
    if (wanted.length === 0 ? !ON_REQUEST.has(name) : wanted.includes(name))
      await runPart(name, [fileURLToPath(import.meta.url), name], (measured) => {
        for (const each of measured) console.log(tableLine(each));
        rows.push(...measured);
      });
  return rows.every(({ value }) => value !== undefined);
}

// Only the process of a part has a parent that receives messages.
if (process.send === undefined) process.exit((await runAll()) ? 0 : 1);
await runMeasurements(
  PARTS.get(wanted[0] ?? '')!(),
  (rows) => new Promise((resolve) => process.send!(rows, undefined, undefined, () => resolve())),
);
process.exit();
