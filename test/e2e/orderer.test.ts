// The agent of an orderer that pushes metrics: its orderer.yaml, a real StatsD daemon and a real Graphite.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { parseDocument } from 'yaml';
import { temporaryFolder } from '../helpers/folder.js';
import { startProgram, urlOf } from '../helpers/program.js';
import { check, eventually } from './daemon.js';
import { startGraphite } from './graphite.js';

const ORDERER = readFileSync('config/orderer.yaml', 'utf8');

test('the agent of an orderer: metrics reach Graphite through StatsD, including the last flush', async (t) => {
  const graphite = await startGraphite(t);
  await graphite.startStatsd();
  const file = parseDocument(ORDERER);
  file.setIn(['Metrics', 'Provider'], 'statsd');
  file.setIn(['Metrics', 'Statsd', 'Prefix'], 'orderer0');
  const directory = temporaryFolder(t, { 'orderer.yaml': file.toString() });
  const own = ['--set', 'operations.listenAddress=127.0.0.1:0'];
  const agent = startProgram(t, ['start', '--config', join(directory, 'orderer.yaml'), ...own], {
    environment: {
      ORDERER_METRICS_STATSD_ADDRESS: `127.0.0.1:${graphite.port}`,
      ORDERER_METRICS_STATSD_WRITEINTERVAL: '200ms',
    },
  });
  const url = await urlOf(agent);
  const total = async (series: string): Promise<number> =>
    (await graphite.points(series)).reduce((sum, [, value]) => sum + value, 0);
  const requests = 'stats.timers.orderer0.fabric_ops_agent.http_request.duration_milliseconds';

  t.is((await fetch(`${url}/healthz`)).status, 200, 'no checks are declared');
  t.is((await fetch(`${url}/metrics`)).status, 404, 'no prometheus sink is declared');
  await eventually(async () => {
    check((await total(`${requests}.GET._healthz.200.count`)) === 1, 'the request is not in Graphite yet');
    check((await total(`${requests}.GET.none.404.count`)) === 1, 'the 404 request is not in Graphite yet');
  });

  for (const spec of ['debug', 'info']) {
    const body = JSON.stringify({ spec });
    t.is((await fetch(`${url}/logspec`, { method: 'PUT', body })).status, 204);
  }
  agent.child.kill('SIGTERM');
  t.is((await agent.ended).status, 0);
  // Lines after the last flush are not counted.
  const logged = agent.stderr().match(/ INFO (?!.* -> stopped$)/gm)?.length ?? 0;
  const lines = 'stats.counters.orderer0.fabric_ops_agent.logging.entries_written.info.count';
  await eventually(async () => {
    check((await total(`${requests}.PUT._logspec.204.count`)) === 2, 'the changes are not in Graphite yet');
    check((await total(lines)) >= logged, 'the log lines are not in Graphite yet');
  });
  t.is(await total(lines), logged);
  t.regex(await graphite.command('stats'), /^messages.bad_lines_seen: 0$/m);
});
