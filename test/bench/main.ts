// `npm run bench`: figures as ratios taken in one run, beside their budgets.

import { cpus } from 'node:os';
import { benchHealthz } from './healthz.js';
import { benchMetrics } from './metrics.js';
import { table } from './report.js';
import { benchStatsd } from './statsd.js';

console.log(`Node ${process.versions.node}, ${cpus().length} cores, ${cpus()[0]?.model ?? ''}\n`);
const rows = [...(await benchHealthz()), ...(await benchMetrics()), ...(await benchStatsd())];
console.log(table(rows));
process.exit();
