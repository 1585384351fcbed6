// Runs the groups of test files that group-tests.ts writes, for `npm test`: several processes of ava at a time, each of which runs its
// groups and their tests one after the other. So a test has its process to itself, and how long it takes depends on few others.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const AVA = ['node_modules/ava/entrypoints/cli.mjs', '--config', 'dist/test/build/ava.config.js'];
const GROUPS = 'dist/test/groups';
/** More than processors, because some tests wait. */
const PROCESSES = availableParallelism() + 2;

/** Runs groups, and prints the output at the end. Returns whether all tests passed. */
async function run(groups: readonly string[]): Promise<boolean> {
  const child = spawn(process.execPath, [...AVA, ...groups], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  process.stdout.write(output);
  return code === 0;
}

const files = readdirSync(GROUPS).map((name) => join(GROUPS, name));
const shares = Array.from({ length: PROCESSES }, (_, share) =>
  files.filter((_file, index) => index % PROCESSES === share),
);
const outcomes = await Promise.all(shares.filter(({ length }) => length > 0).map(run));
if (outcomes.includes(false)) process.exitCode = 1;
