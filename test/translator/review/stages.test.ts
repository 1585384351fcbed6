// The stages against Fabric's verdicts on recorded config updates.

import { createHash } from 'node:crypto';
import test from 'ava';
import { applyUpdate, readConfig, readConfigUpdate, writeConfig } from '../../../translator/channel/index.js';
import type { Finding } from '../../../translator/review/index.js';
import { runStages } from '../../../translator/review/stages/index.js';
import { agree } from '../../helpers/review-cases.js';
import { readChannelCases, type ChannelCase } from '../../helpers/channel-cases.js';

/** Refusals that need signatures, policies or certificates: those stages are not in translator/review. */
const ELSEWHERE =
  /sub-policies were satisfied|signature set did not satisfy|unexpected missing policy|setting up the MSP manager failed|initializing policymanager failed|has invalid certificate/;

/** The one that is removed or replaced is alive, which the number of those alive does not tell. */
const UNKNOWN_ALIVE = new Set(['consenters-016', 'consenters-018', 'consenters-024', 'consenters-029']);

const { configs, cases } = readChannelCases();

function review({ config, update, channel, active }: ChannelCase): {
  readonly sha256: string;
  readonly findings: readonly Finding[];
} {
  const before = readConfig(configs.get(config)!);
  const read = readConfigUpdate(update);
  const applied = applyUpdate(before, read, channel);
  const findings = runStages({ channel, before, update: read, applied, fabric: '3.0', bft: '3.0', active });
  return { sha256: createHash('sha256').update(writeConfig(applied.config)).digest('hex'), findings };
}

for (const each of cases) {
  const verdict = each.errors.length === 0 ? 'accepted' : 'refused with the text of the orderer';
  test(`${each.id}, ${each.note}: ${verdict}`, (t) => {
    const { sha256, findings } = review(each);
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

test('every finding says what is wrong and what to do, each in one sentence without a period', (t) => {
  const findings = cases.flatMap((each) => review(each).findings);
  t.true(findings.length > 90);
  for (const { id, text, todo } of findings) {
    t.regex(text, /^[^\n]+[^.\n]$/, id);
    t.regex(todo, /^[^\n]+[^.\n]$/, id);
  }
});

test('an update with several faults has a finding for each', (t) => {
  const both = cases.find(({ note }) => note === 'BatchSize 0/0/0')!;
  t.deepEqual(
    review(both).findings.map(({ text }) => text),
    [
      'max_message_count of the batch size is 0',
      'absolute_max_bytes of the batch size is 0',
      'preferred_max_bytes of the batch size is 0',
    ],
  );
});

test('orderers of Fabric 2.5 do not know the value Orderers nor the channel capability V3_0', (t) => {
  const bft = cases.find(({ id }) => id === 'bft-001')!;
  const before = readConfig(configs.get(bft.config)!);
  const update = readConfigUpdate(bft.update);
  const applied = applyUpdate(before, update, bft.channel);
  const findings = runStages({ channel: bft.channel, before, update, applied, fabric: '2.5', bft: '3.1.2' });
  t.deepEqual(
    findings.map(({ id, path }) => [id, path]),
    [
      ['value-unknown', '/Channel/Orderer/Orderers'],
      ['capability-unsupported', '/Channel/Capabilities'],
    ],
  );
});
