// `npm run bench`: figures as ratios taken in one run, beside their budgets.

import { cpus } from 'node:os';
import { benchHealthz } from './healthz.js';
import { benchMetrics } from './metrics.js';
import { table } from './report.js';

console.log(`Node ${process.versions.node}, ${cpus().length} cores, ${cpus()[0]?.model ?? ''}\n`);
console.log(table([await benchHealthz(), ...(await benchMetrics())]));
process.exit();
