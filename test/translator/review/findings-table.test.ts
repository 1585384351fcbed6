// The table of finding ids against the README and the code.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/index.js';
import { RULES } from '../../../translator/rules/index.js';
import { review } from '../../../translator/review/index.js';
import { MspCache } from '../../../translator/msp/channel-msps.js';
import { bytesIn, readReviewCases } from '../../helpers/review-cases.js';

const DIRECTORY = 'translator/review';

/** The rows of the table in the README: id, severity, text of the orderer. */
const rows = [
  ...readFileSync(`${DIRECTORY}/README.md`, 'utf8').matchAll(
    /^\| `([a-z0-9-]+)` +\| (refused|unsigned|danger|warning) +\|([^|\n]*(?:\\\|[^|\n]*)*)\|/gm,
  ),
].map(([, id = '', severity = '', orderer = '']) => ({ id, severity, orderer: orderer.trim() }));

test('the README documents exactly the findings of the table, with their severities', (t) => {
  const documented = rows.map(({ id, severity }) => `${id} ${severity}`);
  const listed = [...RULES.values()].flatMap(({ id, severities }) =>
    severities.map((severity) => `${id} ${severity}`),
  );
  t.deepEqual(documented.toSorted(), listed.toSorted());
});

test('the meaning of a finding is one line without a period', (t) => {
  for (const { id, meaning } of RULES.values()) t.regex(meaning, /^[^\n]{10,100}[^.\n]$/, id);
});

test('each finding that is refused or unsigned has the text of the orderer, each other one has none', (t) => {
  for (const { id, severity, orderer } of rows)
    t.is(orderer !== '', severity === 'refused' || severity === 'unsigned', `${id}: ${orderer}`);
});

/** The names in the table of the data, by id. */
const documented = new Map(
  [...readFileSync(`${DIRECTORY}/README.md`, 'utf8').matchAll(/^\| `([a-z0-9-]+)` +\| ([^|\n]+)\|$/gm)].map(
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
  const { now, configs, cases } = readReviewCases();
  const msps = new MspCache();
  const problems = new Set<string>();
  const seen = new Set<string>();
  for (const { config, envelope } of cases.filter(
    ({ id }, index) => index % 6 === 0 && !id.startsWith('versions-06'),
  )) {
    const block = readConfigFile(bytesIn(configs[config]!));
    const { findings } = await review(readUpdateFile(bytesIn(envelope)), block, { now: new Date(now), msps });
    for (const { id, data } of findings) {
      seen.add(id);
      const entry = documented.get(id);
      const names = typeof entry === 'string' ? documented.get(entry) : entry;
      for (const name of Object.keys(data))
        if (name !== 'losses' && !(names instanceof Set && names.has(name))) problems.add(`${id} ${name}`);
    }
  }
  t.true(seen.size > 30);
  t.deepEqual([...problems], []);
});
