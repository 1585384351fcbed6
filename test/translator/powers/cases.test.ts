// Updates that real networks accepted, with what happened afterwards: the harmful ones have a danger, the others have none.

import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/file.js';
import { review, summaryOf, type Finding } from '../../../translator/review/index.js';
import { MspCache } from '../../../translator/msp/index.js';
import { LONGEST_HEADLINE } from '../../helpers/review-cases.js';

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

/** An update of one of several networks. */
interface NetworkCase extends Omit<PowersCase, 'network' | 'expect'> {
  readonly network: string;
  readonly fabric?: string;
  readonly expect: 'danger' | 'fine' | 'refused' | 'told';
  readonly mentions?: string;
}

const networks = JSON.parse(
  brotliDecompressSync(readFileSync(`${DIRECTORY}/networks.json.br`)).toString(),
) as {
  readonly now: string;
  readonly blocks: Readonly<Record<string, string>>;
  readonly cases: readonly NetworkCase[];
};

const msps = new MspCache();

/** The worst that a review says of an update, of what is about its content. */
function verdictOf(findings: readonly Finding[]): NetworkCase['expect'] {
  const severities = new Set(findings.map(({ severity }) => severity));
  if (severities.has('refused')) return 'refused';
  if (severities.has('danger')) return 'danger';
  return severities.has('warning') ? 'told' : 'fine';
}

for (const { name, network, fabric, update, expect, mentions, observed } of networks.cases)
  test(`${name}: ${expect}`, async (t) => {
    const block = readConfigFile(Buffer.from(networks.blocks[network]!, 'base64'));
    const result = await review(readUpdateFile(Buffer.from(update, 'base64')), block, {
      now: new Date(networks.now),
      fabric: fabric === undefined ? [] : [fabric],
      msps,
    });
    const { findings } = result;
    t.is(verdictOf(findings), expect, observed);
    const headline = summaryOf(result);
    t.is(headline.startsWith('harmless'), expect === 'fine');
    t.true(headline.length <= LONGEST_HEADLINE, headline);
    if (mentions !== undefined) t.regex(findings.map(({ text }) => text).join('\n'), new RegExp(mentions));
  });
