// Updates that real networks accepted, with what happened afterwards: the harmful ones have a danger, the others have none.

import { readFileSync } from 'node:fs';
import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/file.js';
import { review, type Finding } from '../../../translator/review/index.js';

/** An update of one of the two networks. */
interface PowersCase {
  readonly name: string;
  readonly network: 'raft' | 'bft';
  readonly expect: 'danger' | 'fine';
  /** What a real network did. */
  readonly observed: string;
  /** An unsigned envelope, base64. */
  readonly update: string;
}

const DIRECTORY = 'test/vectors/powers';
const cases = JSON.parse(readFileSync(`${DIRECTORY}/cases.json`, 'utf8')) as PowersCase[];
const blocks = {
  raft: readConfigFile(readFileSync(`${DIRECTORY}/raft.block`)),
  bft: readConfigFile(readFileSync(`${DIRECTORY}/bft.block`)),
};
/** After the certificates of the networks were made. */
const now = new Date('2026-11-25T00:00:00Z');

async function findingsOf({ network, update }: PowersCase): Promise<readonly Finding[]> {
  const file = readUpdateFile(Buffer.from(update, 'base64'));
  return (await review(file, blocks[network], { now })).findings;
}

for (const each of cases)
  test(each.name, async (t) => {
    const findings = await findingsOf(each);
    const refusals = findings.filter(({ severity }) => severity === 'refused');
    t.deepEqual(refusals, [], 'orderers accepted it');
    const dangers = findings.filter(({ severity }) => severity === 'danger').map(({ text }) => text);
    t.is(dangers.length > 0, each.expect === 'danger', `${each.observed}; dangers: ${dangers.join('; ')}`);
  });
