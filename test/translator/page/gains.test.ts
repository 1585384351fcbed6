// What updates of real networks give and take, as the page shows it.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/index.js';
import { setPolicy, unsignedUpdate } from '../../../translator/edit/index.js';
import { powersOf } from '../../../translator/powers/index.js';
import { review, verdictOf } from '../../../translator/review/index.js';
import { gainsOf } from '../../../translator/page/gains.js';

interface Case {
  readonly name: string;
  readonly network: 'raft' | 'bft';
  readonly expect: 'danger' | 'fine';
  readonly update: string;
}

const FOLDER = 'test/vectors/powers';
const CASES = JSON.parse(readFileSync(`${FOLDER}/cases.json`, 'utf8')) as readonly Case[];
const NOW = new Date('2026-11-24T00:00:00Z');

for (const { name, network, expect, update } of CASES)
  test(`${name}: ${expect === 'danger' ? 'what is lost is shown' : 'nothing is marked'}`, async (t) => {
    const base = readConfigFile(readFileSync(`${FOLDER}/${network}.block`));
    const file = readUpdateFile(Buffer.from(update, 'base64'));
    const reviewed = await review(file, base, { now: NOW });
    // Only an update with the verdict dangerous has marks.
    t.is(verdictOf(reviewed) === 'dangerous', expect === 'danger');
    if (expect !== 'danger') return;
    const { control, services } = gainsOf(await powersOf(base, file));
    const named = reviewed.findings.filter(({ severity }) => severity === 'danger');
    t.true(control.length + services.length + named.length > 0);
  });

test('a takeover is shown as control before and after it, although no service changes', async (t) => {
  const base = readConfigFile(readFileSync(`${FOLDER}/raft.block`));
  const { config } = setPolicy(base.config, '/Channel/Application/Admins', 'ANY Admins');
  const file = readUpdateFile(unsignedUpdate(base.channel!, base.config, config).bytes);
  const { control, services } = gainsOf(await powersOf(base, file));
  t.deepEqual(services, []);
  t.deepEqual(
    control
      .map(({ what, before, after }) => [what, before, after])
      .find(([what]) => what === 'the application'),
    ['the application', 'Org1MSP and Org2MSP', 'Org1MSP, or Org2MSP'],
  );
});

test('a new policy that everybody controls as before gives nothing to anybody', async (t) => {
  const base = readConfigFile(readFileSync(`${FOLDER}/raft.block`));
  const { config } = setPolicy(base.config, '/Channel/Application/Clerks', 'ANY Readers');
  const file = readUpdateFile(unsignedUpdate(base.channel!, base.config, config).bytes);
  const { control, services } = gainsOf(await powersOf(base, file));
  t.deepEqual([control, services], [[], []]);
});
