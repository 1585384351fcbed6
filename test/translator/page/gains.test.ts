// What updates of real networks give and take, as the page shows it.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/index.js';
import { setPolicy, unsignedUpdate } from '../../../translator/edit/index.js';
import { powersOf } from '../../../translator/powers/index.js';
import { review, verdictOf } from '../../../translator/review/index.js';
import { headlineOf } from '../../../translator/page/headline.js';
import { gainsOf } from '../../../translator/page/gains.js';

interface Case {
  readonly name: string;
  readonly network: 'raft' | 'bft';
  readonly expect: 'danger' | 'fine';
  readonly update: string;
}

const FOLDER = 'test/vectors/powers';
const CASES = JSON.parse(readFileSync(`${FOLDER}/cases.json`, 'utf8')) as readonly Case[];
/** The words for people, nodes, transactions and chaincodes that lose something. */
const LOSERS =
  /\b(?:Org\w+|orderers?|consenters?|peers?|clients?|admins?|nobody|anybody|members?|transactions?|chaincodes?)\b/;
const NOW = new Date('2026-11-24T00:00:00Z');

for (const { name, network, expect, update } of CASES)
  test(`${name}: ${expect === 'danger' ? 'a marked row or a danger names who loses' : 'no word of danger'}`, async (t) => {
    const base = readConfigFile(readFileSync(`${FOLDER}/${network}.block`));
    const file = readUpdateFile(Buffer.from(update, 'base64'));
    const reviewed = await review(file, base, { now: NOW });
    t.is(verdictOf(reviewed) === 'dangerous', expect === 'danger');
    const { title } = headlineOf(reviewed);
    t.is(/dangerous|takeover/i.test(title), expect === 'danger', title);
    t.true(title.split(' ').length <= 12, title);
    if (expect !== 'danger') return;
    const { control, services } = gainsOf(await powersOf(base, file));
    const marked = [...control.filter(({ isEasier }) => isEasier), ...services];
    const dangers = reviewed.findings.filter(({ severity }) => severity === 'danger');
    const telling = dangers.filter((each) => LOSERS.test(each.text));
    t.true(marked.length + telling.length > 0, dangers.map((each) => each.text).join('\n'));
  });

test('a takeover is shown as control before and after it, although no service changes', async (t) => {
  const base = readConfigFile(readFileSync(`${FOLDER}/raft.block`));
  const { config } = setPolicy(base.config, '/Channel/Application/Admins', 'ANY Admins');
  const file = readUpdateFile(unsignedUpdate(base.config, config, base.channel!).bytes);
  const { control, services } = gainsOf(await powersOf(base, file));
  t.deepEqual(services, []);
  t.deepEqual(
    control
      .map(({ what, before, after }) => [what, before, after])
      .find(([what]) => what === 'the group Application'),
    ['the group Application', 'Org1MSP and Org2MSP', 'Org1MSP, or Org2MSP'],
  );
});

test('a new policy that everybody controls as before gives nothing to anybody', async (t) => {
  const base = readConfigFile(readFileSync(`${FOLDER}/raft.block`));
  const { config } = setPolicy(base.config, '/Channel/Application/Clerks', 'ANY Readers');
  const file = readUpdateFile(unsignedUpdate(base.config, config, base.channel!).bytes);
  const { control, services } = gainsOf(await powersOf(base, file));
  t.deepEqual([control, services], [[], []]);
});

test('lost services are in words', async (t) => {
  const base = readConfigFile(readFileSync(`${FOLDER}/raft.block`));
  const { config } = setPolicy(base.config, '/Channel/Readers', "OR('Org1MSP.admin')");
  const file = readUpdateFile(unsignedUpdate(base.config, config, base.channel!).bytes);
  const { services } = gainsOf(await powersOf(base, file));
  t.true(services.some((line) => line.change === 'lost' && line.services.includes('read blocks')));
});
