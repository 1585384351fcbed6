// The stages against Fabric's verdicts on recorded config updates.

import { createHash } from 'node:crypto';
import test from 'ava';
import { applyUpdate, readConfig, readConfigUpdate, writeConfig } from '../../../translator/channel/index.js';
import type { Program } from '../../../translator/msp/index.js';
import type { Finding } from '../../../translator/review/index.js';
import { toFinding } from '../../../translator/rules/index.js';
import { findInValues } from '../../../translator/rules/run.js';
import { ChannelState } from '../../../translator/state/index.js';
import { agree } from '../../helpers/review-cases.js';
import { readChannelCases, type ChannelCase } from '../../helpers/channel-cases.js';

/** Refusals that need signatures, policies or certificates: here only values are checked. */
const ELSEWHERE =
  /sub-policies were satisfied|signature set did not satisfy|unexpected missing policy|setting up the MSP manager failed|initializing policymanager failed|has invalid certificate/;

/** The one that is removed or replaced is alive, which the number of those alive does not tell. */
const UNKNOWN_ALIVE = new Set(['consenters-016', 'consenters-018', 'consenters-024', 'consenters-029']);

const { configs, cases } = readChannelCases();

/** What the values tell, by the rules of a program. */
async function review(
  { config, update: bytes, channel, active }: ChannelCase,
  program?: Program,
): Promise<{ readonly sha256: string; readonly findings: readonly Finding[] }> {
  const old = readConfig(configs.get(config)!);
  const update = readConfigUpdate(bytes);
  const applied = applyUpdate(old, update, channel);
  const options = program === undefined ? {} : { program };
  const before = new ChannelState(old, options);
  const after = new ChannelState(applied.config, options);
  const found = await findInValues({ channel, before, after, update, applied, active });
  return {
    sha256: createHash('sha256').update(writeConfig(applied.config)).digest('hex'),
    findings: found.map(toFinding),
  };
}

for (const each of cases) {
  const verdict = each.errors.length === 0 ? 'accepted' : 'refused with the text of the orderer';
  test(`${each.id}, ${each.note}: ${verdict}`, async (t) => {
    const { sha256, findings } = await review(each);
    const texts = findings.filter(({ severity }) => severity === 'refused').map(({ orderer }) => orderer!);
    if (each.propose) t.is(sha256, each.sha256!);
    if (each.errors.length === 0 || each.errors.every((error) => ELSEWHERE.test(error)))
      t.deepEqual(texts, []);
    else if (UNKNOWN_ALIVE.has(each.id)) {
      t.deepEqual(texts, []);
      t.true(findings.some(({ id, severity }) => id === 'consenters-quorum' && severity === 'warning'));
    } else if (findings.some(({ id }) => id === 'capability-unsupported'))
      // Fabric may report what follows from it.
      t.true(texts.length > 0);
    else
      t.true(
        each.errors.some((error) => texts.some((text) => agree(text, error))),
        texts.join('\n'),
      );
  });
}

test('every finding says what is wrong and what to do, each in one sentence without a period', async (t) => {
  const findings: Finding[] = [];
  for (const each of cases) findings.push(...(await review(each)).findings);
  t.true(findings.length > 90);
  for (const { id, text, todo } of findings) {
    t.regex(text, /^[^\n]+[^.\n]$/, id);
    t.regex(todo, /^[^\n]+[^.\n]$/, id);
  }
});

test('an update with several faults has a finding for each', async (t) => {
  const both = cases.find(({ note }) => note === 'BatchSize 0/0/0')!;
  t.deepEqual(
    (await review(both)).findings.map(({ text }) => text),
    [
      'max_message_count of the batch size is 0',
      'absolute_max_bytes of the batch size is 0',
      'preferred_max_bytes of the batch size is 0',
    ],
  );
});

test('orderers of Fabric 2.5 do not know the value Orderers nor the channel capability V3_0', async (t) => {
  const bft = cases.find(({ id }) => id === 'bft-001')!;
  const { findings } = await review(bft, { fabric: '2.5', bft: '3.1.2', go: '1.23' });
  t.deepEqual(
    findings.map(({ id, path }) => [id, path]),
    [
      ['value-unknown', '/Channel/Orderer/Orderers'],
      ['capability-unsupported', '/Channel/Capabilities'],
    ],
  );
});
