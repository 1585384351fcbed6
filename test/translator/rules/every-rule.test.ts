// Every rule finds something once, and nothing where nothing is wrong.

import test from 'ava';
import { readConfigFile } from '../../../translator/channel/index.js';
import { checkConfig, type Finding } from '../../../translator/review/index.js';
import { RULES } from '../../../translator/rules/index.js';
import { inValue, orderer, reviewOf } from '../../helpers/changed-config.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';
import { RULE_CASES } from '../../helpers/rule-cases.js';

/** Each rule with each of its severities. */
const KEYS = [...RULES.values()].flatMap(({ id, severities }) =>
  severities.map((severity) => `${id} ${severity}`),
);

async function findingOf(key: string): Promise<Finding | undefined> {
  const findings = (await RULE_CASES.get(key)?.()) ?? [];
  return findings.find(({ id, severity }) => `${id} ${severity}` === key);
}

for (const key of KEYS)
  test(`the rule ${key.replace(' ', ' finds something ')}`, async (t) => {
    const finding = await findingOf(key);
    t.truthy(finding);
    t.regex(finding?.text ?? '', /^[^\n]+[^.\n]$/);
    t.regex(finding?.todo ?? '', /^[^\n]+[^.\n]$/);
  });

test('every finding has an id and a severity of a rule that a check lists', async (t) => {
  const known = new Set(KEYS);
  for (const find of new Set(RULE_CASES.values()))
    for (const { id, severity } of await find()) t.true(known.has(`${id} ${severity}`), `${id} ${severity}`);
});

test('no rule finds anything in a config without faults', async (t) => {
  const { now, configs } = readReviewCases();
  const { findings } = await checkConfig(readConfigFile(bytesIn(configs.raft5!)), { now: new Date(now) });
  t.deepEqual(
    findings.map(({ id }) => id),
    [],
  );
});

test('of an update without faults only the rules about missing signatures find something', async (t) => {
  const { findings } = await reviewOf('raft5', (channel) =>
    inValue(orderer(channel), 'BatchTimeout', 'orderer.BatchTimeout', (message) => (message.timeout = '3s')),
  );
  t.deepEqual(
    findings.map(({ id }) => id),
    ['submitter-missing', 'signatures-missing'],
  );
});

test('the meaning of a rule is one line without a period', (t) => {
  for (const { id, meaning } of RULES.values()) t.regex(meaning, /^[^\n]{10,100}[^.\n]$/, id);
});

test('TypeScript knows the data of a finding by its id', async (t) => {
  const finding = (await findingOf('batch-timeout refused'))!;
  if (finding.id !== 'batch-timeout') throw new Error('another finding');
  const timeout: string = finding.data.timeout;
  t.is(typeof timeout, 'string');
});
