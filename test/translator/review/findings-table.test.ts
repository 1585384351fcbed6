// The table of findings in the README against the code.

import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';

const DIRECTORY = 'translator/review';

/** The rows of the table: id and severity. */
const rows = [
  ...readFileSync(`${DIRECTORY}/README.md`, 'utf8').matchAll(
    /^\| `([a-z0-9-]+)` +\| (refused|unsigned|danger|warning) +\|([^|\n]*(?:\\\|[^|\n]*)*)\|/gm,
  ),
].map(([, id = '', severity = '', orderer = '']) => ({ id, severity, orderer: orderer.trim() }));

const source = readdirSync(DIRECTORY, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(`${DIRECTORY}/${file}`, 'utf8'))
  .join('\n');

/** The ids that the code gives to findings: `id: '…'`, `hazard('…', '…'`, and the two places that choose between ids. */
function idsInCode(): Set<string> {
  const direct = [
    ...source.matchAll(/\bid: '([a-z0-9-]+)'/g),
    ...source.matchAll(/\bhazard\(\s*(?:'danger'|'warning'|severity),\s*'([a-z0-9-]+)'/g),
    ...source.matchAll(/^ {4}\['(msp-[a-z-]+)', '/gm),
    ...source.matchAll(/isAll \? '([a-z-]+-effect)'/g),
    ...source.matchAll(/: '(change-without-effect)'/g),
  ].map(([, id]) => id!);
  const rules = [...source.matchAll(/^ {2}'?([a-z-]+)'?: \[\s*'/gm)].map(([, rule]) => `update-${rule!}`);
  return new Set([...direct, ...rules]);
}

test('the table of findings lists exactly the ids of the code', (t) => {
  const ids = idsInCode();
  t.true(ids.size > 70);
  t.deepEqual([...new Set(rows.map(({ id }) => id))].toSorted(), [...ids].toSorted());
});

test('each finding that is refused or unsigned has the text of the orderer, each other one has none', (t) => {
  for (const { id, severity, orderer } of rows)
    t.is(orderer !== '', severity === 'refused' || severity === 'unsigned', `${id}: ${orderer}`);
});
