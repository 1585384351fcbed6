import { join } from 'node:path';
import test from 'ava';
import { PACKAGED_FILE } from '../../../config/index.js';
import { runAgentCommand } from '../../helpers/agent-command.js';
import { temporaryFolder } from '../../helpers/folder.js';

const PEER = join(PACKAGED_FILE, '../peer.yaml');

const contract = new URL('../../../core/contract/index.js', import.meta.url).href;
const DISK = `import { defineHealthChecker } from '${contract}';
export default defineHealthChecker({
  name: 'disk',
  options: {
    path: { format: String, doc: 'mount point' },
    percent: { format: Number, default: 90, doc: 'limit in percent' },
    strict: { format: Boolean, default: false, doc: 'whether to check twice' },
    address: { format: 'host-port', default: 'a:1', doc: 'address' },
    files: { format: 'path-list', default: [], doc: 'files' },
    mode: { format: ['a', 'b'], default: 'a', doc: 'mode' },
    token: { format: String, default: 'hunter2', sensitive: true, doc: 'token' },
    size: { format(value) { if (value !== 1) throw new Error('must be 1'); }, default: 1, doc: 'size' },
    any: { format() {}, default: 1, doc: 'anything' },
  },
  async check() {},
});`;

test('plugins prints one line per plugin', async (t) => {
  const cwd = temporaryFolder(t, {
    'disk.mjs': DISK,
    'a.yaml': `plugins:
  - { plugin: ./disk.mjs, name: data, options: { path: / } }
  - { plugin: docker, name: engine }
`,
  });
  const { status, stdout, stderr } = await runAgentCommand(['plugins', '-c', 'a.yaml'], { cwd });
  t.deepEqual(
    { status, stderr, lines: stdout.split('\n') },
    {
      status: 0,
      stderr: '',
      lines: [
        'alertmanager     notifier  built in, not declared',
        'ccaas            checker   built in, not declared',
        'certificates     checker   built in, not declared',
        'channel-config   checker   built in, not declared',
        'consensus        checker   built in, not declared',
        'console          logging   built in, default',
        'couchdb          checker   built in, not declared',
        'data             checker   ./disk.mjs, declared by a.yaml:2: plugins[0]',
        'disk             checker   built in, not declared',
        'engine           checker   built in, declared by a.yaml:3: plugins[1]',
        'exec             checker   built in, not declared',
        'exec             notifier  built in, not declared',
        'exec             source    built in, not declared',
        'graphite         sink      built in, not declared',
        'grpc             checker   built in, not declared',
        'height           checker   built in, not declared',
        'http             checker   built in, not declared',
        'http             source    built in, not declared',
        'loaded-channels  checker   built in, not declared',
        'node             source    built in, not declared',
        'node-health      checker   built in, not declared',
        'orderer-link     checker   built in, not declared',
        'otlp             sink      built in, not declared',
        'participation    checker   built in, not declared',
        'prometheus       sink      built in, not declared',
        'statsd           sink      built in, not declared',
        'tcp              checker   built in, not declared',
        'webhook          notifier  built in, not declared',
        '',
      ],
    },
  );
});

test('plugins prints the node setting that declares a plugin', async (t) => {
  const { stdout } = await runAgentCommand(['plugins', '--config', PEER]);
  t.regex(stdout, /^docker {11}checker {3}built in, declared by \S*peer\.yaml:\d+: vm\.endpoint$/m);
});

test('plugins NAME prints the options of a built-in plugin', async (t) => {
  const { status, stdout } = await runAgentCommand(['plugins', 'docker', '--config', PEER]);
  t.is(status, 0);
  const [heading = '', ...options] = stdout.trimEnd().split('\n');
  t.regex(heading, /^docker \(checker\): built in, declared by \S*peer\.yaml:\d+: vm\.endpoint$/);
  t.is(options.length, 5);
  t.true(options.includes('  timeout: duration, default "5s": time limit for a ping'));
});

test('plugins NAME prints the options of a declared plugin and masks secrets', async (t) => {
  const cwd = temporaryFolder(t, {
    'disk.mjs': DISK,
    'a.yaml': 'plugins: [{ plugin: ./disk.mjs, name: data, options: { path: / } }]\n',
  });
  const { status, stdout } = await runAgentCommand(['plugins', 'data', '-c', 'a.yaml'], { cwd });
  t.deepEqual(
    { status, lines: stdout.split('\n') },
    {
      status: 0,
      lines: [
        'data (checker): ./disk.mjs, declared by a.yaml:1: plugins[0]',
        '  path: string, required: mount point',
        '  percent: number, default 90: limit in percent',
        '  strict: boolean, default false: whether to check twice',
        '  address: host:port, default "a:1": address',
        '  files: list of paths, default []: files',
        '  mode: one of a, b, default "a": mode',
        '  token: string, default ********: token',
        '  size: 1, default 1: size',
        '  any: any value that the plugin accepts, default 1: anything',
        '',
      ],
    },
  );
});

for (const [name, shown] of [
  ['./own.mjs', 'own (checker): ./own.mjs, not declared'],
  ['own-plugin', 'own (checker): own-plugin, not declared'],
  ['checker/http', 'http (checker): checker/http, not declared'],
  ['./disk.mjs', 'data (checker): ./disk.mjs, declared by agent.yaml:1: plugins[0]'],
] as const)
  test(`plugins ${name} prints a plugin by what a declaration writes after "plugin:"`, async (t) => {
    const own = DISK.replace("'disk'", "'own'");
    const cwd = temporaryFolder(t, {
      'agent.yaml': 'plugins: [{ plugin: ./disk.mjs, name: data, options: { path: / } }]',
      'disk.mjs': DISK,
      'own.mjs': own,
      'node_modules/own-plugin/package.json': '{"type":"module","exports":"./index.js"}',
      'node_modules/own-plugin/index.js': own,
    });
    const { status, stdout } = await runAgentCommand(['plugins', name, '-c', 'agent.yaml'], { cwd });
    t.is(stdout.split('\n', 1)[0], shown);
    t.is(status, 0);
  });

test('plugins prints the built-in plugins when the settings are invalid, and exits with 2', async (t) => {
  const invalid = ['--set', 'nothing=1'];
  const all = await runAgentCommand(['plugins', ...invalid]);
  t.is(all.status, 2);
  t.true(all.stdout.includes('docker           checker   built in, not declared\n'));
  t.regex(all.stderr, /^fabric-ops-agent: error: flag --set: nothing: .*\n$/);
  const one = await runAgentCommand(['plugins', 'docker', ...invalid]);
  t.is(one.status, 2);
  t.true(one.stdout.startsWith('docker (checker): built in, not declared\n'));
  const unknown = await runAgentCommand(['plugins', 'nosuch', ...invalid]);
  t.is(unknown.status, 2);
  t.is(unknown.stdout, '');
});
