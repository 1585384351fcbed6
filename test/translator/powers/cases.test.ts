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

/** The harmful updates of which a review does not tell a danger yet. */
const MISSING = new Set([
  // Control
  'an exact copy of Org1 as another group',
  'a policy of equal strength that Org1 may change, and values under it',
  'a user becomes an admin of Org2',
  'one organisation defines chaincode',
  // Values, consenters, capabilities and revocation lists
  'CRL that revokes the orderers',
  'tick interval of one nanosecond',
  'all consenters at other addresses',
  'a batch timeout of a year',
  'application capability V1_1',
  'request pool and buffer of 2^63-1',
  'largest request of 500 bytes',
  'ids of two consenters exchanged',
  'TLS root of the orderers replaced',
]);

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
    const isTold = each.expect === 'danger' && !MISSING.has(each.name);
    t.is(dangers.length > 0, isTold, `${each.observed}; dangers: ${dangers.join('; ')}`);
  });

test('each name of what is missing is a harmful case', (t) => {
  const harmful = new Set(cases.flatMap(({ name, expect }) => (expect === 'danger' ? [name] : [])));
  t.deepEqual(
    [...MISSING].filter((name) => !harmful.has(name)),
    [],
  );
});
