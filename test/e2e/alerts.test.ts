// Checks the alert rules and the queries of the dashboards with promtool, the file for Alertmanager with amtool, and the example for Docker Compose with docker-compose.

import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { parse, stringify } from 'yaml';
import { temporaryFolder } from '../helpers/folder.js';
import { findProgram } from './provision.js';

const DEPLOY = fileURLToPath(new URL('../../../config/deploy/', import.meta.url));
const RULES = join(DEPLOY, 'prometheus');

function promtool(cwd: string, ...args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(findProgram('promtool') ?? '', args, {
    cwd,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

for (const name of ['alerts', 'node-alerts', 'organisation']) {
  test(`promtool check accepts ${name}.yaml`, (t) => {
    const { status, output } = promtool(RULES, 'check', 'rules', `${name}.yaml`);
    t.is(status, 0, output);
    t.regex(output, /SUCCESS: \d+ rules found/);
  });

  test(`promtool test passes for ${name}.yaml, and every alert has a test case that fires and one that does not`, (t) => {
    const { status, output } = promtool(RULES, 'test', 'rules', `${name}.test.yaml`);
    t.is(status, 0, output);

    const { groups } = parse(readFileSync(`${RULES}/${name}.yaml`, 'utf8')) as {
      groups: readonly { rules: readonly { alert: string }[] }[];
    };
    const { tests } = parse(readFileSync(`${RULES}/${name}.test.yaml`, 'utf8')) as {
      tests: readonly {
        alert_rule_test?: readonly { alertname: string; exp_alerts: readonly unknown[] }[];
      }[];
    };
    const cases = tests.flatMap((each) => each.alert_rule_test ?? []);
    const names = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
    for (const isFiring of [true, false]) {
      const selected = cases.filter((each) => each.exp_alerts.length > 0 === isFiring);
      const tested = new Set(selected.map((each) => each.alertname));
      t.deepEqual(
        names.filter((each) => !tested.has(each)),
        [],
        isFiring ? 'alerts without a case that fires' : 'alerts without a case that does not fire',
      );
    }
  });
}

for (const name of ['dashboard.json', 'nodes.json', 'organisation.json']) {
  test(`promtool check accepts the queries of ${name} as rules`, (t) => {
    const { panels } = JSON.parse(readFileSync(join(DEPLOY, 'grafana', name), 'utf8')) as {
      panels: readonly { targets?: readonly { expr: string }[] }[];
    };
    const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
    const rules = queries.map((query, index) => ({
      record: `query_${index}`,
      expr: query.replaceAll('$__rate_interval', '5m'),
    }));
    const directory = temporaryFolder(t, { 'queries.yaml': stringify({ groups: [{ name, rules }] }) });
    const { status, output } = promtool(directory, 'check', 'rules', 'queries.yaml');
    t.is(status, 0, output);
    t.true(output.includes(`SUCCESS: ${queries.length} rules found`), output);
  });
}

test('promtool check accepts the configuration of Prometheus in the example for Docker Compose', (t) => {
  const configuration = readFileSync(join(DEPLOY, 'docker-compose/prometheus/prometheus.yaml'), 'utf8');
  const directory = temporaryFolder(t, { 'prometheus.yml': configuration });
  symlinkSync(RULES, join(directory, 'rules'));
  const { status, output } = promtool(directory, 'check', 'config', 'prometheus.yml');
  t.is(status, 0, output);
  t.true(output.includes('SUCCESS: 4 rule files found'), output);
});

test('amtool accepts the configuration of Alertmanager', (t) => {
  const { status, stdout, stderr } = spawnSync(
    findProgram('amtool') ?? '',
    ['check-config', 'alertmanager.yaml'],
    { cwd: join(DEPLOY, 'alertmanager'), encoding: 'utf8' },
  );
  t.is(status, 0, stdout + stderr);
});

test('docker-compose accepts the example', (t) => {
  const { status, stderr } = spawnSync(
    findProgram('docker-compose') ?? '',
    ['-f', 'ops-agent.yaml', 'config', '--quiet'],
    { cwd: join(DEPLOY, 'docker-compose'), encoding: 'utf8' },
  );
  t.is(status, 0, stderr);
});
