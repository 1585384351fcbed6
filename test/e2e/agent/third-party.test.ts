// Third-party checkers, in a project outside the repository, run by the built program.

import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { temporaryFolder } from '../../helpers/folder.js';
import { healthOf as health } from '../../helpers/agent-endpoints.js';
import { startProgram, type RunningProgram } from '../../helpers/program.js';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));

/** The source of a checker; `body` is the body of its check. */
const checker = (name: string, body: string): string =>
  `import { defineHealthChecker } from 'fabric-ops-agent/plugin';
export default defineHealthChecker({ name: '${name}', async check({ signal }) { ${body} } });`;

interface RunningProject {
  readonly program: RunningProgram;
  readonly url: string;
}

/**
 * Runs the agent with the plugins of a project.
 *
 * @param files its modules
 * @param declarations the list of plugins in its agent.yaml
 */
async function runWith(
  t: ExecutionContext,
  files: Readonly<Record<string, string>>,
  declarations: string,
): Promise<RunningProject> {
  const yaml = `operations: { listenAddress: '127.0.0.1:0' }
health: { timeout: 200ms, cacheFor: 0s }
metrics: { provider: prometheus }
plugins:
${declarations}`;
  const folder = temporaryFolder(t, {
    'package.json': '{"type":"module"}',
    'node_modules/.keep': '',
    'agent.yaml': yaml,
    ...files,
  });
  symlinkSync(REPOSITORY, `${folder}/node_modules/fabric-ops-agent`);
  const program = startProgram(t, ['start', '--config', `${folder}/agent.yaml`]);
  const [, url = ''] = await program.line(/serving on (\S+) with/);
  return { program, url };
}

async function metric(url: string, line: string): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text.split('\n').find((candidate) => candidate.startsWith(line));
}

test('checkers declared by relative path and by package name run under their names', async (t) => {
  const { url } = await runWith(
    t,
    {
      'checks/disk.js': checker('disk', "throw new Error('disk is full');"),
      'node_modules/fabric-check-ledger/package.json':
        '{"name":"fabric-check-ledger","type":"module","exports":"./index.js"}',
      'node_modules/fabric-check-ledger/index.js': checker('ledger', "throw new Error('ledger is behind');"),
    },
    '  - plugin: ./checks/disk.js\n  - { plugin: ./checks/disk.js, name: disk-2 }\n  - plugin: fabric-check-ledger\n',
  );
  t.deepEqual(await health(url), {
    status: 503,
    failed: { disk: 'disk is full', 'disk-2': 'disk is full', ledger: 'ledger is behind' },
  });
});

test('checkers that fail, hang or throw synchronously do not affect other checkers', async (t) => {
  const { url, program } = await runWith(
    t,
    {
      'fails.js': checker('fails', "throw new Error('on purpose');"),
      'hangs.js': checker('hangs', 'return new Promise(() => {});'),
      'throws.js': checker('throws', '').replace(
        'async check({ signal }) {',
        "check() { throw new Error('synchronously');",
      ),
      'fine.js': checker('fine', ''),
    },
    '  - plugin: ./fails.js\n  - plugin: ./hangs.js\n  - plugin: ./throws.js\n  - plugin: ./fine.js\n',
  );
  const expected = {
    status: 503,
    failed: { fails: 'on purpose', hangs: 'timed out after 200ms', throws: 'synchronously' },
  };
  t.deepEqual(await health(url), expected);
  // The run at the start may be that of the first request.
  const { status, failed } = await health(url);
  const { hangs = '', ...others } = failed;
  t.deepEqual([status, others], [503, { fails: 'on purpose', throws: 'synchronously' }]);
  t.regex(hangs, /^(?:timed out after 200ms|not checked: 2 earlier checks are still running)$/);
  await program.line(/WARN \[health\].* -> hangs is not healthy: timed out after 200ms/);
  t.is(program.stderr().match(/hangs is not healthy/g)?.length, 1);
  t.is(
    await metric(url, 'fabric_ops_agent_health_check_status{component="fine"}'),
    'fabric_ops_agent_health_check_status{component="fine"} 1',
  );
  // The run at the start may be the one of the first request.
  t.regex(
    (await metric(url, 'fabric_ops_agent_health_check_failures_total{component="throws"}')) ?? '',
    / [23]$/,
  );
});

test('checkers with an unhandled rejection and with an exception in a timer are logged by name, and the agent continues', async (t) => {
  const { url, program } = await runWith(
    t,
    {
      'leaks.js': checker('leaks', "void Promise.reject(new Error('leaked on purpose'));"),
      'explodes.js': checker('explodes', "setTimeout(() => { throw new Error('thrown from a timer'); }, 1);"),
    },
    '  - plugin: ./leaks.js\n  - plugin: ./explodes.js\n',
  );
  t.is((await health(url)).status, 200);
  await program.line(/ERRO \[operations\].* -> uncaught error in plugin leaks: leaked on purpose/);
  await program.line(/ERRO \[operations\].* -> uncaught error in plugin explodes: thrown from a timer/);
  t.is((await health(url)).status, 200);
  const faults = 'fabric_ops_agent_plugin_faults_total{kind="checker",phase="uncaught",plugin="leaks"}';
  t.regex((await metric(url, faults)) ?? '', / [1-3]$/);
});

test('with onStartError: retry, the start of a checker is retried and its component fails with the reason', async (t) => {
  const alarm = join(temporaryFolder(t), 'alarm');
  const source = `import { defineHealthChecker } from 'fabric-ops-agent/plugin';
import { existsSync } from 'node:fs';
export default defineHealthChecker({ name: 'slow-to-wake', create: () => ({
  start() { if (!existsSync('${alarm}')) throw new Error('not awake yet'); },
  check() {},
}) });`;
  const { url, program } = await runWith(
    t,
    { 'wakes.js': source },
    '  - { plugin: ./wakes.js, onStartError: retry }\n',
  );
  t.deepEqual((await health(url)).failed, { 'slow-to-wake': 'not started: not awake yet' });
  writeFileSync(alarm, '');
  await program.line(/plugin slow-to-wake started/);
  t.deepEqual((await health(url)).failed, {});
});

test('with onStartError: fail, a checker that does not start ends the program with status 1 and the reason', async (t) => {
  const failing = `import { defineHealthChecker } from 'fabric-ops-agent/plugin';
export default defineHealthChecker({ name: 'x', create: () => ({ start() { throw new Error('no such device'); }, check() {} }) });`;
  const folder = temporaryFolder(t, {
    'package.json': '{"type":"module"}',
    'node_modules/.keep': '',
    'x.js': failing,
    'agent.yaml': "operations: { listenAddress: '127.0.0.1:0' }\nplugins: [{ plugin: ./x.js }]\n",
  });
  symlinkSync(REPOSITORY, `${folder}/node_modules/fabric-ops-agent`);
  const { status, stderr } = await startProgram(t, ['start', '--config', `${folder}/agent.yaml`]).ended;
  t.is(status, 1);
  t.regex(stderr, /^fabric-ops-agent: error: plugin x did not start: no such device \(x\.js:2\)$/m);
});
