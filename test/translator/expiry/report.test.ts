// The report of expiries: its states and days, and its words.

import test from 'ava';
import { documentText } from '../../../translator/documents/index.js';
import { expiryDocument, expiryReport, type Expiry, type Found } from '../../../translator/expiry/index.js';

const NOW = new Date('2027-01-10T12:00:00.000Z');
const DAY = 86_400_000;

const endingAt = (milliseconds: number, more: Partial<Expiry> = {}): Found => ({
  source: 'ca.pem',
  use: 'ca',
  subject: 'CN=ca',
  issuer: 'CN=ca',
  sha256: '00',
  from: '2026-01-01T00:00:00.000Z',
  until: new Date(NOW.getTime() + milliseconds).toISOString(),
  recipe: { advice: 'renew it' },
  ...more,
});

for (const [left, days, state, words] of [
  [-2 * DAY - 1, -3, 'expired', '2 days ago'],
  [-2 * DAY, -2, 'expired', '1 day ago'],
  [-DAY, -1, 'expired', 'today, expired'],
  [-1, -1, 'expired', 'today, expired'],
  [0, 0, 'due', 'in less than a day'],
  [DAY - 1, 0, 'due', 'in less than a day'],
  [DAY, 1, 'due', 'in 1 day'],
  [2 * DAY, 2, 'due', 'in 2 days'],
  [2 * DAY + 1, 2, 'later', 'in 2 days'],
  [3 * DAY, 3, 'later', 'in 3 days'],
] as const)
  test(`a certificate that ends in ${left} ms, with 2 days to look ahead, is ${state}: ${words}`, (t) => {
    const report = expiryReport([endingAt(left)], { now: NOW, within: 172_800 });
    t.like(report.entries[0], { days, state });
    const [, row = ''] = documentText(expiryDocument(report)).split('\n');
    t.is(row.split('  ')[2], words);
  });

test('a report has the soonest end first, and items that cannot be read apart', (t) => {
  const unreadable = { source: 'x.pem', error: 'no' };
  const found = [endingAt(3 * DAY), unreadable, endingAt(DAY), endingAt(2 * DAY)];
  const report = expiryReport(found, { now: NOW, within: 0 });
  t.deepEqual(
    report.entries.map(({ days }) => days),
    [1, 2, 3],
  );
  t.deepEqual([report.unreadable, report.now, report.within], [[unreadable], NOW.toISOString(), 0]);
});

test('the document has the advice for urgent items only, and the command for each', (t) => {
  const recipe = { advice: 'renew it', command: 'configtxlator org set-msp' };
  const found = [
    endingAt(-1, { recipe, organization: 'Org1', mspid: 'Org1MSP', channel: 'ch1' }),
    endingAt(0, { recipe: { advice: 'replace it' }, mspid: 'Org2MSP' }),
    endingAt(90 * DAY, { recipe, use: 'consenter-tls', consenter: 'o:7050' }),
    { source: 'b.pb', channel: 'ch2', mspid: 'Org3MSP', use: 'admin' as const, error: 'bad' },
    { source: 'c.pb', error: 'bad' },
  ];
  const document = expiryDocument(expiryReport(found, { now: NOW, within: 43_200 }));
  t.is(
    documentText(document),
    `cannot be read
  ch2   Org3MSP  admin  bad
  c.pb                  bad
expired
  2027-01-10  today, expired  ch1  Org1  CA  CN=ca
    → renew it
    → configtxlator org set-msp
expires within 12 hours
  2027-01-10  in less than a day  ca.pem  Org2MSP  CA  CN=ca
    → replace it
expires later
  2027-04-10  in 90 days  ca.pem    TLS of the consenter o:7050  CN=ca
    → configtxlator org set-msp
`,
  );
  const tones = document.sections?.map(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === 'rows' ? block.rows.map(({ tone }) => tone) : [])),
  );
  t.deepEqual(tones, [[undefined, undefined], ['bad'], ['open'], [undefined]]);
});
