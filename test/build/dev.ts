// `npm run dev`: runs the agent, and compiles and restarts it when a source file or the configuration changes. TypeScript 7's own
// watch mode does not notice changes here.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';

const DIRECTORIES = ['core', 'plugins', 'config'];
const SOURCE = /\.(?:ts|yaml)$/;
/** How long to wait for further changes before compiling, in milliseconds. */
const DEBOUNCE = 100;
const COMPILE = ['node_modules/.bin/tsc', '-p', 'tsconfig.json', '--pretty'];
const RUN = ['dist/core/main.js', 'start', '--config', 'config/agent.yaml'];

let agent = run(RUN);
let timer: NodeJS.Timeout | undefined;
let restarting: Promise<void> | undefined;

for (const directory of DIRECTORIES)
  watch(directory, { recursive: true }, (_, file) => {
    if (file === null || !SOURCE.test(file)) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      // A change during a restart is compiled after it.
      restarting = (restarting ?? Promise.resolve()).then(restart);
    }, DEBOUNCE);
  });

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => {
    void stop(agent).then(() => process.exit());
  });

async function restart(): Promise<void> {
  const [status] = (await once(run(COMPILE), 'exit')) as [number | null];
  // The compiler printed what is wrong; the agent that runs stays.
  if (status !== 0) return;
  await stop(agent);
  agent = run(RUN);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

function run(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, args, { stdio: 'inherit' });
}
