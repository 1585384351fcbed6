// Plugins that fail while the agent serves: the agent continues, logs the fault, and stops normally.

import { createServer, type AddressInfo } from 'node:net';
import test from 'ava';
import { healthOf, metricLine } from '../../helpers/agent-endpoints.js';
import { pluginSource, serveProject } from '../../helpers/plugin-program.js';

/** Ways to fail, and the reason that is reported. */
const WAYS = [
  ["throw new Error('on purpose')", 'on purpose'],
  ["throw 'a string'", 'a string'],
  ["return Promise.reject(new TypeError('rejected'))", 'rejected'],
  ['throw undefined', 'no reason given'],
] as const;

/** The member that fails, by name. */
const FAILING: Readonly<
  Record<string, readonly [kind: 'checker' | 'sink', member: (way: string) => string]>
> = {
  check: ['checker', (way) => `check() { ${way} }`],
  push: ['sink', (way) => `push: { interval: 50, flush() { ${way} } }`],
  pull: ['sink', (way) => `route: { path: '/' + context.name, handle() { ${way} } }`],
};

test('checkers and sinks that throw or reject, also with values that are not errors and in stop, do not affect the agent', async (t) => {
  const files = Object.fromEntries(
    Object.entries(FAILING).flatMap(([what, [kind, member]]) =>
      WAYS.map(([way], index) => [
        `${what}-${index}.js`,
        pluginSource(kind, `${what}-${index}`, `return { ${member(way)}, stop() { ${way} } };`),
      ]),
    ),
  );
  const plugins = Object.keys(files).map((file) => ({ plugin: `./${file}` }));
  const { url, child, line, ended } = await serveProject(t, {
    files,
    settings: { plugins: [{ plugin: 'prometheus' }, ...plugins] },
  });
  for (let round = 0; round < 2; round += 1)
    t.deepEqual(await healthOf(url), {
      status: 503,
      failed: Object.fromEntries(WAYS.map(([, reason], index) => [`check-${index}`, reason])),
    });
  for (const index of WAYS.keys()) {
    t.is((await fetch(`${url}/pull-${index}`)).status, 500);
    await line(new RegExp(`\\[plugins\\.push-${index}\\].*pushing metrics failed`));
  }
  const scrape = 'fabric_ops_agent_plugin_faults_total{kind="sink",phase="scrape",plugin="pull-0"}';
  t.is(await metricLine(url, scrape), `${scrape} 1`);
  child.kill('SIGTERM');
  const { status, stderr } = await ended;
  t.is(status, 0);
  for (const [index, [, reason]] of WAYS.entries()) {
    const isLoggedOnce = (name: string, what: string): boolean =>
      t.is(stderr.split(`${what}: ${reason}\n`).length - 1, 1, `${name}: ${what}: ${reason}`);
    isLoggedOnce('check', `check-${index} is not healthy`);
    for (const name of Object.keys(FAILING))
      isLoggedOnce(name, `plugin ${name}-${index} did not stop cleanly`);
    t.regex(stderr, new RegExp(`\\[plugins\\.pull-${index}\\].*scrape failed: ${reason}\n`));
  }
});

test('a logging backend that throws at every call after the start does not affect the agent', async (t) => {
  const backend = `let isServing = false;
    const trap = () => { if (isServing) throw new Error('no pipe'); };
    return {
      spec: () => { trap(); return 'info'; },
      activate: async () => trap(),
      logger: (name) => ({ name, enabled: () => true, ...Object.fromEntries(
        ['payload', 'debug', 'info', 'warn', 'error', 'dpanic', 'panic', 'fatal'].map((level) => [level, (message) => {
          trap();
          console.error(message);
          isServing = message.startsWith('serving');
        }])) }),
      stop: async () => trap(),
    };`;
  const { url, child, ended } = await serveProject(t, {
    files: { 'log.js': pluginSource('logging', 'log', backend) },
    settings: { plugins: [{ plugin: './log.js' }, { plugin: 'prometheus' }] },
  });
  for (const method of ['GET', 'PUT']) {
    const reply = await fetch(`${url}/logspec`, method === 'PUT' ? { method, body: '{"spec":"debug"}' } : {});
    t.is(reply.status, 500);
    t.is(await reply.text(), '{"error":"internal error"}\n');
  }
  t.is((await healthOf(url)).status, 200);
  const faults = 'fabric_ops_agent_plugin_faults_total{kind="logging",phase="log",plugin="log"}';
  t.regex((await metricLine(url, faults)) ?? '', / [1-9]\d*$/);
  child.kill('SIGTERM');
  t.is((await ended).status, 0);
});

test('a checker that blocks the event loop past its deadline fails, and checkers that wait for the network do not', async (t) => {
  const echo = createServer((socket) => socket.on('error', () => undefined).pipe(socket));
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  t.teardown(() => echo.close());
  const { port } = echo.address() as AddressInfo;
  const waiting = `const { connect } = net;
    const socket = connect(${port}, '127.0.0.1').on('error', () => undefined);
    return {
      stop: () => void socket.destroy(),
      check: () => new Promise((resolve) => { socket.once('data', () => resolve()); socket.write('ping'); }),
    };`;
  const { url } = await serveProject(t, {
    files: {
      'waits.js': `import * as net from 'node:net';\n${pluginSource('checker', 'waits', waiting)}`,
      'blocks.js': pluginSource(
        'checker',
        'blocks',
        'return { async check() { const end = performance.now() + 2000; while (performance.now() < end); } };',
      ),
    },
    settings: {
      health: { timeout: '1s' },
      plugins: [{ plugin: 'prometheus' }, { plugin: './waits.js' }, { plugin: './blocks.js' }],
    },
  });
  const health = healthOf(url);
  const meanwhile = Promise.all(['/logspec', '/version', '/metrics'].map((path) => fetch(`${url}${path}`)));
  t.deepEqual(await health, { status: 503, failed: { blocks: 'timed out after 1s' } });
  t.deepEqual(
    (await meanwhile).map(({ status }) => status),
    [200, 200, 200],
  );
});

test('a timer, a server, a connection and a child process that a plugin leaves open do not keep a stopped agent alive', async (t) => {
  const leaks = `let child;
    return {
      start: async () => {
        setInterval(() => undefined, 10);
        const server = net.createServer().listen(0, '127.0.0.1');
        await new Promise((resolve) => server.once('listening', resolve));
        net.connect(server.address().port, '127.0.0.1');
        child = spawn('sleep', ['600'], { stdio: 'inherit' });
        console.error('child ' + child.pid);
      },
      check() {},
    };`;
  const { child, line, ended } = await serveProject(t, {
    files: {
      'leaks.js': `import net from 'node:net';\nimport { spawn } from 'node:child_process';\n${pluginSource('checker', 'leaks', leaks)}`,
    },
    settings: { plugins: [{ plugin: './leaks.js' }] },
  });
  const pid = Number((await line(/child (\d+)/))[1]);
  // The child also has standard error open, so that `ended` does not resolve when the agent exits.
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  try {
    t.is(await exited, 0);
  } finally {
    process.kill(pid);
  }
  t.regex((await ended).stderr, /stopped\n$/);
});
