// The backend in a process: its formats, and the stream that it writes to.

import { spawnSync } from 'node:child_process';
import test from 'ava';
import { checkOptions } from '../../../../core/host/load.js';
import console from '../../../../plugins/logging/console/index.js';
import { declaration } from '../../../helpers/agent.js';
import { PATIENCE } from '../../../helpers/patience.js';

const module = (path: string): string => new URL(`../../../../${path}`, import.meta.url).href;

/** Logs an entry and one below the level in a process; returns what it wrote to its streams. */
function written(options: { readonly format: string; readonly output: 'stdout' | 'stderr' }) {
  const script = `
    import console from '${module('plugins/logging/console/index.js')}';
    import { createTestContext } from '${module('core/testing/context.js')}';
    const backend = console.create(createTestContext(console, ${JSON.stringify(options)}).context);
    backend.activate('info');
    backend.logger('ledger').info('hello', { block: 7 });
    backend.logger('ledger').debug('not written');
    await backend.stop();`;
  const args = ['--input-type=module', '-e', script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: PATIENCE });
  return { stdout, stderr };
}

for (const [format, output, expected] of [
  [
    'json',
    'stdout',
    /^\{"level":"info","ts":[\d.]+,"name":"ledger","caller":"[^"]+","msg":"hello","block":7\}\n$/,
  ],
  ['logfmt', 'stderr', /^level=info ts=[\d.]+ name=ledger caller=\S+ msg=hello block=7\n$/],
  // Colors only on a terminal.
  ['', 'stderr', /^\d{4}-\d\d-\d\d \S+ \S+ 0001 INFO \[ledger\] \w+ -> hello block=7\n$/],
  ['%{color}%{message}', 'stdout', /^\[34mhello block=7\n$/],
] as const)
  test(`an entry in the format '${format}' is written to ${output}`, (t) => {
    const { [output]: text, ...other } = written({ format, output });
    t.regex(text.replaceAll('\u001b', ''), expected);
    t.is(text.includes('\u001b'), format.includes('color'));
    t.deepEqual(Object.values(other), ['']);
  });

for (const [format, problem] of [
  ['json', undefined],
  ['%{message}', undefined],
  [7, 'must be json, logfmt, or a pattern: value was 7'],
  [
    '%{id:s}',
    `invalid option 's' of %{id} in the log format: must be an integer format such as 04x: value was "%{id:s}"`,
  ],
] as const)
  test(`the option format ${JSON.stringify(format)} is ${problem === undefined ? 'valid' : 'refused'}`, (t) => {
    const { problems } = checkOptions(console, declaration({ plugin: 'console', options: { format } }));
    t.deepEqual(
      problems,
      problem === undefined ? [] : [`test.yaml:1: plugins[0]: plugin console: options.format: ${problem}`],
    );
  });
