// The alert rules, by Prometheus' own tool.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { parse } from 'yaml';
import { findProgram } from './provision.js';

const FOLDER = fileURLToPath(new URL('../../../config/deploy/prometheus/', import.meta.url));

function promtool(...args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(findProgram('promtool') ?? '', args, {
    cwd: FOLDER,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

test('promtool finds nothing wrong with the alert rules', (t) => {
  const { status, output } = promtool('check', 'rules', 'alerts.yaml');
  t.is(status, 0, output);
  t.regex(output, /SUCCESS: \d+ rules found/);
});

test('the alerts fire when they should, and every one of them is tried', (t) => {
  const { status, output } = promtool('test', 'rules', 'alerts.test.yaml');
  t.is(status, 0, output);

  const { groups } = parse(readFileSync(`${FOLDER}/alerts.yaml`, 'utf8')) as {
    groups: readonly { rules: readonly { alert: string }[] }[];
  };
  const { tests } = parse(readFileSync(`${FOLDER}/alerts.test.yaml`, 'utf8')) as {
    tests: readonly { alert_rule_test: readonly { alertname: string; exp_alerts: readonly unknown[] }[] }[];
  };
  const cases = tests.flatMap((each) => each.alert_rule_test);
  const names = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  for (const isFiring of [true, false]) {
    const those = cases.filter((each) => each.exp_alerts.length > 0 === isFiring);
    const tried = new Set(those.map((each) => each.alertname));
    t.deepEqual(
      names.filter((name) => !tried.has(name)),
      [],
      isFiring ? 'alerts that no case lets fire' : 'alerts that no case keeps silent',
    );
  }
});
