// `fabric-ops-agent plugins new` for each kind: the packages are written, compiled, tested and packed as their README shows, and installed beside
// the packed agent, which runs all of them.

import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { TEMPLATE_KINDS } from '../../core/cli/plugin-template.js';
import { healthOf } from '../helpers/agent-endpoints.js';
import { temporaryFolder } from '../helpers/folder.js';
import { runProgram, startProgram } from '../helpers/program.js';
import { eventually } from './daemon.js';
import { install, NODE_TYPES, pack, ROOT, run, TSC } from './npm.js';

/** The options of the plugins in agent.yaml, by kind. */
const OPTIONS = {
  checker: '{ directory: waiting, most: 1 }',
  sink: '{ file: lines.txt, interval: 100ms }',
  source: '{ file: load }',
  notifier: '{ file: events.txt }',
  logging: '{ file: log.txt }',
};

const AGENT = `operations: { listenAddress: '127.0.0.1:0' }
health: { interval: 1s, cacheFor: 0s }
metrics: { provider: prometheus }
plugins:
${TEMPLATE_KINDS.map((kind) => `  - { plugin: my-${kind}, options: ${OPTIONS[kind]} }\n`).join('')}`;

test('each new plugin compiles, passes its contract suite, and runs in the packed agent', async (t) => {
  t.timeout(300_000);
  const directory = temporaryFolder(t, {
    'package.json': '{ "name": "operator", "private": true }',
    'agent.yaml': AGENT,
    'waiting/a': '',
    'waiting/b': '',
    load: '0.25 0.5 0.75 1/2 3\n',
  });
  const { filename } = pack(directory);
  install(directory, `./${filename}`, NODE_TYPES);
  for (const name of ['ava', 'typescript'])
    symlinkSync(join(ROOT, 'node_modules', name), join(directory, 'node_modules', name));
  const agent = { program: join(directory, 'node_modules/.bin/fabric-ops-agent'), cwd: directory };

  for (const kind of TEMPLATE_KINDS) {
    const name = `my-${kind}`;
    const written = await runProgram(t, ['plugins', 'new', kind, name], agent);
    t.deepEqual([written.status, written.stderr], [0, '']);
    const own = join(directory, name);
    run(TSC, own, '-p', '.');
    const tested = spawnSync(process.execPath, [join(ROOT, 'node_modules/ava/entrypoints/cli.mjs')], {
      cwd: own,
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] },
    });
    t.is(tested.status, 0, `${tested.stdout}${tested.stderr}`);
    t.deepEqual(
      pack(directory, own)
        .files.map(({ path }) => path)
        .toSorted(),
      ['README.md', 'dist/index.js', 'package.json'],
    );
    const readme = readFileSync(join(own, 'README.md'), 'utf8');
    t.true(readme.includes(`../${filename}`), readme);
    const [, yaml = ''] = /```yaml\n([^]*?)```/.exec(readme) ?? [];
    const { plugins } = parse(yaml) as {
      readonly plugins: readonly { readonly plugin: string }[];
    };
    t.deepEqual(
      plugins.map(({ plugin }) => plugin),
      [name],
    );
  }
  // Last, because npm removes what it has not installed.
  install(directory, ...TEMPLATE_KINDS.map((kind) => `./my-${kind}-1.0.0.tgz`));

  const checked = await runProgram(t, ['config', 'check', '--config', 'agent.yaml'], agent);
  t.deepEqual([checked.stdout, checked.stderr], ['agent.yaml: no problem found\n', '']);
  const textOf = (file: string): string => readFileSync(join(directory, file), 'utf8');
  const running = startProgram(t, ['start', '--config', 'agent.yaml'], agent);
  const url = await eventually(async () => {
    const [, found] = /serving on (http:\S+) with/.exec(textOf('log.txt')) ?? [];
    if (found === undefined) throw new Error(textOf('log.txt'));
    return found;
  });
  t.deepEqual(await healthOf(url), { status: 503, failed: { 'my-checker': '2 waiting files, limit 1' } });
  t.regex(await (await fetch(`${url}/metrics`)).text(), /^machine_load(?:\{[^}]*\})? 0\.25$/m);
  await eventually(async () => {
    t.is(textOf('events.txt').split('\n')[0], 'change failed my-checker: 2 waiting files, limit 1');
  });
  running.child.kill('SIGTERM');
  t.is((await running.ended).status, 0);
  t.regex(textOf('lines.txt'), /^backlog\.files 2$/m);
});
