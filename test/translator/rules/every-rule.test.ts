// Every rule finds something once, and nothing where nothing is wrong; the tables of translator/review/README.md are printed from what they find.

import { readFileSync, writeFileSync } from 'node:fs';
import test from 'ava';
import { readConfigFile } from '../../../translator/channel/index.js';
import { checkConfig, type Finding } from '../../../translator/review/index.js';
import { RULES } from '../../../translator/rules/index.js';
import { inValue, orderer, reviewOf } from '../../helpers/changed-config.js';
import { tableRows } from '../../helpers/markdown.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';
import { RULE_CASES } from '../../helpers/rule-cases.js';

const README = 'translator/review/README.md';

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

const LONGEST = 120;
/** The ends of the prefixes of stages. */
const STAGE =
  /^.*(?:sub-group config|channelconfig failed|policymanager failed|not compatible|DeltaSet|authorizing update|update is invalid|(?:initial|final) checks|inspection failed|existing channel '[^']*'): /;

const cell = (text: string): string =>
  text.replaceAll(/[_|<>*]/g, (each) => `\\${each}`).replaceAll('\n', ' ');
const code = (refusal: string): string => {
  const text = refusal.replace(STAGE, '').trim();
  return `\`${(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text).replaceAll('|', '\\|')}\``;
};

/** The row of a rule in the table of the README. */
async function rowOf(key: string): Promise<readonly string[]> {
  const [id = '', severity = ''] = key.split(' ');
  const { orderer: refusal, text, todo } = (await findingOf(key))!;
  const { meaning } = RULES.get(id)!;
  return [
    `\`${id}\``,
    severity,
    cell(meaning),
    refusal === undefined ? '' : code(refusal),
    cell(text),
    cell(todo),
  ];
}

const ORDER = ['refused', 'unsigned', 'danger', 'warning'];

test('the README has the table of all rules', async (t) => {
  const sorted = KEYS.toSorted().toSorted(
    (one, other) => ORDER.indexOf(one.split(' ')[1]!) - ORDER.indexOf(other.split(' ')[1]!),
  );
  const rows: (readonly string[])[] = [];
  for (const key of sorted) rows.push(await rowOf(key));
  if (process.env['REWRITE_SAMPLES'] === '1') {
    const lines = rows.map((row) => `| ${row.join(' | ')} |\n`).join('');
    const head =
      '| id | severity | what it means | orderer | sentence (an example) | what to do |\n| --- | --- | --- | --- | --- | --- |\n';
    const text = readFileSync(README, 'utf8');
    writeFileSync(
      README,
      text.replace(/(## Findings\n\n[^|]*)(?:\|.*\n)+/, (_, before: string) => before + head + lines),
    );
  }
  t.deepEqual(
    tableRows(readFileSync(README, 'utf8'), 'Findings'),
    rows.map((row) => row.map((each) => each.trim().replaceAll('\\|', '|'))),
  );
});

/** The names in the table of the data, by id. */
const documented = new Map(
  [...readFileSync(README, 'utf8').matchAll(/^\| `([a-z0-9-]+)` +\| ([^|\n]+)\|$/gm)].map(
    ([, id = '', data = '']) => {
      const [, other] = /^as `([a-z0-9-]+)`/.exec(data) ?? [];
      return [
        id,
        other ?? new Set([...data.matchAll(/`([A-Za-z]+)`/g)].map(([, name = '']) => name)),
      ] as const;
    },
  ),
);

test('the README names all data of findings', async (t) => {
  const problems = new Set<string>();
  for (const key of KEYS) {
    const { id, data } = (await findingOf(key))!;
    const entry = documented.get(id);
    const names = typeof entry === 'string' ? documented.get(entry) : entry;
    for (const name of Object.keys(data))
      if (name !== 'losses' && !(names instanceof Set && names.has(name))) problems.add(`${id} ${name}`);
  }
  t.deepEqual([...problems], []);
});

test('TypeScript knows the data of a finding by its id', async (t) => {
  const finding = (await findingOf('batch-timeout refused'))!;
  if (finding.id !== 'batch-timeout') throw new Error('another finding');
  const timeout: string = finding.data.timeout;
  t.is(typeof timeout, 'string');
});
