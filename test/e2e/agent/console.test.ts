// The console backend in an agent and in the built program: counters, levels, streams.

import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { startAgent } from '../../helpers/agent.js';
import { temporaryFolder } from '../../helpers/folder.js';
import { PROGRAM, runProgram, startProgram } from '../../helpers/program.js';

const ESC = '\u001b';

/** Starts the program, waits for a line, stops it and returns the lines of standard error. */
async function linesOf(
  t: ExecutionContext,
  environment: Readonly<Record<string, string>>,
  firstLine = /serving on/,
): Promise<string[]> {
  const args = ['start', '--config', configuration(t)];
  const program = startProgram(t, args, { environment: { TZ: 'UTC', ...environment } });
  await program.line(firstLine);
  program.child.kill('SIGTERM');
  const { status, stderr, stdout } = await program.ended;
  t.is(status, 0);
  t.is(stdout, '');
  return stderr.trimEnd().split('\n');
}

const configuration = (t: ExecutionContext, more = ''): string =>
  join(
    temporaryFolder(t, { 'agent.yaml': `operations: { listenAddress: '127.0.0.1:0' }\n${more}` }),
    'agent.yaml',
  );

const SERVING = /^serving on http:\/\/127\.0\.0\.1:\d+ with console \(logging\)$/;

test('without a format the program writes the default pattern, without colors to a pipe', async (t) => {
  const lines = await linesOf(t, {});
  t.is(lines.length, 3);
  t.regex(
    lines[0] ?? '',
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} UTC 0001 INFO \[operations\] \w+ -> serving on http:\S+ with console \(logging\)$/,
  );
  t.regex(lines[2] ?? '', / 0003 INFO \[operations\] \w+ -> stopped$/);
});

test('FABRIC_LOGGING_FORMAT=json: each line is a JSON record', async (t) => {
  const records = (await linesOf(t, { FABRIC_LOGGING_FORMAT: 'json' })).map(
    (line) => JSON.parse(line) as Record<string, unknown>,
  );
  t.deepEqual(Object.keys(records[0] ?? {}), ['level', 'ts', 'name', 'caller', 'msg']);
  t.regex(String(records[0]?.msg), SERVING);
  t.regex(String(records[0]?.caller), /^core\/agent\.ts:\d+$/);
});

test('FABRIC_LOGGING_FORMAT=logfmt: each line is a logfmt record', async (t) => {
  const [line = ''] = await linesOf(t, { FABRIC_LOGGING_FORMAT: 'logfmt' });
  t.regex(line, /^level=info ts=[\d.]+ name=operations caller=core\/agent\.ts:\d+ msg="serving on /);
});

test('an explicit pattern has its colors also in a pipe', async (t) => {
  const lines = await linesOf(t, { FABRIC_LOGGING_FORMAT: '%{color}%{level}%{color:reset} %{message}' });
  t.is(lines.at(-1), `${ESC}[34mINFO${ESC}[0m stopped`);
});

test('JSON in upper case is a pattern', async (t) => {
  t.deepEqual(await linesOf(t, { FABRIC_LOGGING_FORMAT: 'JSON' }, /JSON/), ['JSON', 'JSON', 'JSON']);
});

test('an empty FABRIC_LOGGING_FORMAT is the default pattern', async (t) => {
  t.regex((await linesOf(t, { FABRIC_LOGGING_FORMAT: '' })).at(-1) ?? '', / 0003 INFO \[operations\] /);
});

test('an invalid format fails the start', async (t) => {
  const environment = { FABRIC_LOGGING_FORMAT: '%{color:pink}' };
  const { status, stderr } = await runProgram(t, ['start', '--config', configuration(t)], { environment });
  t.is(status, 2);
  t.regex(
    stderr,
    /FABRIC_LOGGING_FORMAT.*: plugin console: options\.format: invalid color option: pink; must be bold or reset: value was "%\{color:pink\}"\n$/,
  );
});

test('the option output sends the lines to standard output', async (t) => {
  const config = configuration(
    t,
    'plugins: [{ plugin: console, options: { output: stdout, format: "%{message}" } }]',
  );
  const program = startProgram(t, ['start', '--config', config]);
  await new Promise((resolve) => program.child.stdout?.once('data', resolve));
  program.child.kill('SIGTERM');
  const { stdout, stderr } = await program.ended;
  t.regex(stdout, /^serving on .*\nstopping\nstopped\n$/);
  t.is(stderr, '');
});

test('a closed standard error does not end the program', async (t) => {
  const program = startProgram(t, ['start', '--config', configuration(t)]);
  const [, url = ''] = await program.line(/serving on (\S+)/);
  program.child.stderr?.destroy();
  for (const spec of ['debug', 'warn', 'info']) {
    const body = JSON.stringify({ spec });
    t.is((await fetch(`${url}/logspec`, { method: 'PUT', body })).status, 204);
  }
  t.is((await fetch(`${url}/healthz`)).status, 200);
  program.child.kill('SIGTERM');
  t.is((await program.ended).status, 0);
});

const SCRIPT = ['/usr/bin/script', '/bin/script'].find((file) => existsSync(file));
// `script` of util-linux, which every Debian has, runs the program on a terminal.
if (SCRIPT !== undefined) {
  test('the default pattern has colors on a terminal', async (t) => {
    const config = configuration(t);
    const command = `exec '${process.execPath}' '${PROGRAM}' start --config '${config}'`;
    const child = spawn(SCRIPT, ['-qefc', command, '/dev/null'], { stdio: ['ignore', 'pipe', 'ignore'] });
    t.teardown(() => child.kill('SIGKILL'));
    let output = '';
    await new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk: Buffer) => {
        output += chunk.toString('utf8');
        if (output.includes('serving on')) resolve();
      });
      child.on('close', () => resolve());
    });
    // script forwards the signal; it must not be killed before.
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
    t.true(output.startsWith(`${ESC}[34m`), JSON.stringify(output));
    t.true(output.includes(`INFO${ESC}[0m [operations] ${ESC}[34;1m`), JSON.stringify(output));
  });
}

/** The log entry counters of an agent, by `name level`. */
async function countsOf(url: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.matchAll(/^fabric_ops_agent_logging_entries_(\w+)\{level="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, name, level, value]) => [`${name} ${level}`, Number(value)]));
}

test('entries_checked counts by the lowest level of the log spec, entries_written by the level of the logger', async (t) => {
  const { agent, url } = await startAgent(t, {
    'metrics.provider': 'prometheus',
    'logging.spec': 'nosuch=debug:fatal',
  });
  const before = await countsOf(url);
  // Scrapes of the same second get the same text.
  await sleep(1_100);
  const logger = agent.logging.logger('gossip.state');
  logger.payload('below all levels');
  logger.debug('checked');
  logger.warn('checked');
  const after = await countsOf(url);
  const growth = (key: string): number => (after[key] ?? 0) - (before[key] ?? 0);
  t.is(growth('checked payload'), 0);
  t.is(growth('checked debug'), 1);
  t.is(growth('checked warn'), 1);
  t.is(growth('written debug'), 0);
  t.is(growth('written warn'), 0);
});

test('with the log spec info debug calls are not counted', async (t) => {
  const { agent, url } = await startAgent(t, { 'metrics.provider': 'prometheus' });
  agent.logging.logger('gossip.state').debug('hidden');
  t.is((await countsOf(url))['checked debug'], undefined);
});

test('/logspec changes the level of existing loggers', async (t) => {
  const { agent, url } = await startAgent(t);
  const logger = agent.logging.logger('gossip.state');
  t.false(logger.enabled('debug'));
  const put = (spec: string): Promise<Response> =>
    fetch(`${url}/logspec`, { method: 'PUT', body: JSON.stringify({ spec }) });
  t.is((await put('gossip=debug:fatal')).status, 204);
  t.true(logger.enabled('debug'));
  t.false(agent.logging.logger('gossipx').enabled('error'));
  t.is((await put('gossip.=debug:fatal')).status, 204);
  t.false(logger.enabled('debug'));
});
