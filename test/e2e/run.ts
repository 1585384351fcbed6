// Runs the end-to-end test files for `npm run test:e2e`: two at a time, each in a network namespace of its own, so that no two use one
// port. With names of files (`e2e/page.test.js`) it runs only these.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { HAS_NETWORK_NAMESPACE, inNetworkNamespace } from '../helpers/network-namespace.js';
import { ROOT } from './npm.js';

const AVA = [process.execPath, 'node_modules/ava/entrypoints/cli.mjs'];
const CONFIG = 'dist/test/e2e/ava.config.js';
const TESTS = 'dist/test';

/** Without network namespaces, files run one after the other. */
const CONCURRENCY = HAS_NETWORK_NAMESPACE ? 2 : 1;

/** These need a registry and pack this package: they run one after the other in the network of the machine. */
const WITH_REGISTRY = /^e2e\/(?:author|console|package|public-api)\.test\.js$/;
/** These take longest. They start first: none of them runs alone at the end. */
const LONGEST = /(?:documents|review-fuzz|channel-dangers|preflight|edit-pairs\.long)\.test\.js$/;
/** These have a command of their own. */
const EXCLUDED = /^e2e\/(?:audit|image)\.test\.js$/;

/** Test files that run one after the other. */
interface Job {
  readonly files: readonly string[];
  readonly needsNetwork: boolean;
}

function listJobs(only: readonly string[]): Job[] {
  const files = readdirSync(join(ROOT, TESTS), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^e2e\/.*\.test\.js$|\.long\.test\.js$/.test(file) && !EXCLUDED.test(file))
    .filter((file) => only.length === 0 || only.includes(file))
    .toSorted((a, b) => Number(LONGEST.test(b)) - Number(LONGEST.test(a)) || (a < b ? -1 : 1));
  const withRegistry = files.filter((file) => WITH_REGISTRY.test(file));
  return [
    ...(withRegistry.length > 0 ? [{ files: withRegistry, needsNetwork: true }] : []),
    ...files
      .filter((file) => !WITH_REGISTRY.test(file))
      .map((file) => ({ files: [file], needsNetwork: false })),
  ];
}

/** Prints the output of a job after its end, and returns it if a test failed. */
async function run({ files, needsNetwork }: Job): Promise<string | undefined> {
  const start = performance.now();
  const ava = [...AVA, '--config', CONFIG, ...files.map((file) => join(TESTS, file))];
  const [command = '', ...args] = needsNetwork ? ava : inNetworkNamespace(ava);
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  const seconds = Math.round((performance.now() - start) / 1000);
  const report = `${output}${files.join(' ')}: ${code === 0 ? 'passed' : 'FAILED'} after ${seconds} s\n`;
  process.stdout.write(report);
  return code === 0 ? undefined : report;
}

const jobs = listJobs(process.argv.slice(2)).values();
const failed: string[] = [];

/** Runs jobs until none is left. */
async function work(): Promise<void> {
  for (const job of jobs) {
    const report = await run(job);
    if (report !== undefined) failed.push(report);
  }
}

await Promise.all(Array.from({ length: CONCURRENCY }, work));
if (failed.length > 0) {
  // Again at the end: the output of all files is too long to search, and a log often has only its end.
  process.stdout.write(`\nFailed files:\n\n${failed.join('\n')}`);
  process.exitCode = 1;
}
