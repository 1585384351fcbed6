// Each call of an agent on a file or the network fails in turn, from the configuration file to the stop, with scrapes, pushes, notifications and
// reloads in between: the agent ends in order or continues, reports the failed call, and the next call succeeds.

import { fileURLToPath } from 'node:url';
import test from 'ava';
import type { FaultReport } from '../helpers/agent-with-faults.js';
import { startProgram } from '../helpers/program.js';

const PROGRAM = fileURLToPath(new URL('../helpers/agent-with-faults.js', import.meta.url));

for (const [file, network] of [
  ['EIO', 'ECONNRESET'],
  ['EACCES', 'ECONNREFUSED'],
  ['hang', 'hang'],
] as const)
  test.serial(`each call fails in turn, on files with ${file}, on the network with ${network}`, async (t) => {
    t.timeout(20 * 60_000);
    const { ended } = startProgram(t, [file, network], { program: PROGRAM });
    const { stdout, stderr } = await ended;
    const { calls, faults, findings } = JSON.parse(stdout) as FaultReport;
    t.log(`${calls} calls, ${faults} faults`);
    t.is(stderr, '');
    t.deepEqual(findings, []);
    // Synchronous calls do not hang.
    t.true(faults > (file === 'hang' ? 60 : 150), `${faults}`);
  });
