// Three plugins of Debian's monitoring-plugins-basic as checkers of the agent.

import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import test from 'ava';
import { temporaryFolder } from '../helpers/folder.js';
import { startProgram, urlOf } from '../helpers/program.js';
import { check, eventually } from './daemon.js';

const PLUGINS = '/usr/lib/nagios/plugins';

test('check_procs, check_disk and check_tcp are checkers with performance data', async (t) => {
  const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  const port = String((server.address() as AddressInfo).port);
  const command = (name: string, program: string, ...args: readonly string[]): object => ({
    plugin: 'exec',
    name,
    options: { command: [join(PLUGINS, program), ...args], interval: '1s' },
  });
  const settings = {
    operations: { listenAddress: '127.0.0.1:0' },
    health: { interval: '1s', cacheFor: '0s' },
    plugins: [
      { plugin: 'prometheus' },
      command('processes', 'check_procs', '-w', '100000:'),
      command('disk', 'check_disk', '-w', '1%', '-c', '100%', '-p', '/'),
      command('port', 'check_tcp', '-H', '127.0.0.1', '-p', port),
    ],
  };
  const file = join(temporaryFolder(t, { 'agent.yaml': JSON.stringify(settings) }), 'agent.yaml');
  const url = await urlOf(startProgram(t, ['start', '--config', file]));
  const get = async (path: string): Promise<{ status: number; text: string }> => {
    const response = await fetch(`${url}${path}`);
    return { status: response.status, text: await response.text() };
  };

  const { status, text } = await get('/healthz?verbose');
  t.is(status, 503);
  const lines = text.split('\n');
  t.regex(lines[0] ?? '', /^\[-\]disk failed: DISK CRITICAL - free space: \/ \d+/);
  t.is(lines[1], '[+]port ok');
  t.regex(lines[2] ?? '', /^\[\+\]processes warning: PROCS WARNING: \d+ processes$/);

  const { text: metrics } = await get('/metrics');
  t.regex(metrics, /^fabric_ops_agent_exec_value\{component="processes",label="procs",unit=""\} \d+$/m);
  t.regex(metrics, /^fabric_ops_agent_exec_value\{component="disk",label="\/",unit="bytes"\} \d+$/m);
  t.regex(metrics, /^fabric_ops_agent_exec_value\{component="port",label="time",unit="seconds"\} 0\.\d+$/m);

  server.close();
  await eventually(async () => {
    const { text: now } = await get('/healthz/port');
    check(/connect to address 127\.0\.0\.1 and port \d+: Connection refused/.test(now), now);
  });
});
