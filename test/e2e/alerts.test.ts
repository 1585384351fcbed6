// Checks the alert rules with promtool.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { parse } from 'yaml';
import { findProgram } from './provision.js';

const DIRECTORY = fileURLToPath(new URL('../../../config/deploy/prometheus/', import.meta.url));

function promtool(...args: readonly string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(findProgram('promtool') ?? '', args, {
    cwd: DIRECTORY,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

test('promtool check accepts the alert rules', (t) => {
  const { status, output } = promtool('check', 'rules', 'alerts.yaml');
  t.is(status, 0, output);
  t.regex(output, /SUCCESS: \d+ rules found/);
});

test('promtool test passes, and every alert has a test case that fires and one that does not', (t) => {
  const { status, output } = promtool('test', 'rules', 'alerts.test.yaml');
  t.is(status, 0, output);

  const { groups } = parse(readFileSync(`${DIRECTORY}/alerts.yaml`, 'utf8')) as {
    groups: readonly { rules: readonly { alert: string }[] }[];
  };
  const { tests } = parse(readFileSync(`${DIRECTORY}/alerts.test.yaml`, 'utf8')) as {
    tests: readonly { alert_rule_test: readonly { alertname: string; exp_alerts: readonly unknown[] }[] }[];
  };
  const cases = tests.flatMap((each) => each.alert_rule_test);
  const names = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));
  for (const isFiring of [true, false]) {
    const selected = cases.filter((each) => each.exp_alerts.length > 0 === isFiring);
    const tested = new Set(selected.map((each) => each.alertname));
    t.deepEqual(
      names.filter((name) => !tested.has(name)),
      [],
      isFiring ? 'alerts without a case that fires' : 'alerts without a case that does not fire',
    );
  }
});
