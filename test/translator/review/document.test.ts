// The documents about reviews: signatures, equal findings, many findings, and conflicts.

import test from 'ava';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/index.js';
import { documentText, type Document } from '../../../translator/documents/index.js';
import {
  editAll,
  setByPath,
  setPolicy,
  unsignedUpdate,
  type Edited,
} from '../../../translator/edit/index.js';
import type { Config } from '../../../translator/channel/index.js';
import {
  proposalsDocuments,
  review,
  reviewDocument,
  reviewProposals,
  verdictOf,
  type Finding,
  type Review,
} from '../../../translator/review/index.js';
import { networkBlock } from '../../helpers/network-block.js';

const BLOCK = readConfigFile(networkBlock());
const NOW = new Date('2026-11-24T00:00:00Z');
const updateWith = (...edits: readonly ((config: Config) => Edited)[]): Uint8Array =>
  unsignedUpdate(BLOCK.config, editAll(BLOCK.config, edits).config, 'mychannel').bytes;
const policy =
  (name: string, rule = 'ANY Readers') =>
  (config: Config): Edited =>
    setPolicy(config, `/Channel/Application/${name}`, rule);
const timeout = (config: Config): Edited => setByPath(config, 'orderer.batchTimeout', '9s');

const reviewed = async (): Promise<Review> =>
  review(readUpdateFile(updateWith(policy('Clerks'))), BLOCK, { now: NOW });

/** The lines of a section. */
const linesOf = (document: Document, title: string): readonly string[] => {
  const [, text = ''] = documentText(document).split(`\n${title}\n`);
  const lines = text.split('\n');
  return lines.slice(
    0,
    lines.findIndex((line) => !line.startsWith(' ')),
  );
};

const signature = (change: Partial<Review['signatures'][number]>): Review['signatures'][number] => ({
  mspid: 'Org1MSP',
  subject: 'CN=admin',
  notAfter: null,
  valid: true,
  problem: null,
  countsFor: [],
  ...change,
});

test('a signature has its signer, its end, and the policies that it counts for or its problem', async (t) => {
  const many = ['/A', '/B', '/C', '/D'];
  const signatures = [
    signature({ notAfter: '2030-01-02T03:04:05.000Z', countsFor: many.slice(0, 3) }),
    signature({ countsFor: many }),
    signature({}),
    signature({ mspid: '', subject: 'nobody', problem: 'it is not valid', countsFor: many }),
  ];
  t.deepEqual(linesOf(reviewDocument({ ...(await reviewed()), signatures }), 'signatures').slice(0, 4), [
    '  Org1MSP  CN=admin, valid until 2030-01-02; counts for /A, /B, /C',
    '  Org1MSP  CN=admin; counts for /A, /B, /C and 1 more',
    '  Org1MSP  CN=admin; does not count here',
    '  unknown  nobody; it is not valid',
  ]);
});

const finding = (severity: Finding['severity'], text: string, path = ''): Finding => ({
  id: 'policy-unsatisfiable',
  severity,
  text,
  path,
  todo: 'repair it',
  data: { policy: '', stops: [], repair: { do: 'rule' }, because: [] },
});

test('equal findings about several elements are one, refusals and dangers come first, also the finding in the title', async (t) => {
  const findings = [
    finding('warning', 'one', '/Channel/A'),
    finding('danger', 'two', '/Channel/B'),
    finding('warning', 'one', '/Channel/C'),
    finding('warning', 'one', '/Channel/A'),
    finding('refused', 'three'),
  ];
  const { title, sections = [] } = reviewDocument({ ...(await reviewed()), findings });
  t.true(title?.endsWith('refused: three; 2 more findings (1 dangerous)') ?? false, title);
  const blocks = sections.find(({ id }) => id === 'findings')!.blocks;
  t.deepEqual(
    blocks.flatMap((block) =>
      block.kind === 'problems' ? block.problems.map(({ text, tone, paths }) => [text, tone, paths]) : [],
    ),
    [
      ['two', 'bad', ['/Channel/B']],
      ['three', 'bad', []],
      ['one', 'open', ['/Channel/A', '/Channel/C']],
    ],
  );
});

test('besides all dangers 100 findings are shown', async (t) => {
  const findings = [
    ...Array.from({ length: 150 }, (_, index) => finding('warning', `warning ${index}`)),
    finding('danger', 'the danger'),
  ];
  const text = documentText(reviewDocument({ ...(await reviewed()), findings }));
  t.true(text.includes('the danger'));
  t.true(text.includes('warning 99\n'));
  t.false(text.includes('warning 100'));
});

test('updates of the same element conflict, and copies of one update are one proposal', async (t) => {
  const files = [
    { name: 'a.pb', bytes: updateWith(policy('Clerks'), timeout) },
    { name: 'b.pb', bytes: updateWith(timeout) },
    { name: 'c.pb', bytes: updateWith(policy('Clerks'), timeout) },
    { name: 'd.pb', bytes: updateWith((config) => setPolicy(config, '/Channel/Orderer/Ops', 'ANY Admins')) },
  ];
  const progress: number[] = [];
  const found = await reviewProposals(files, BLOCK, {
    now: NOW,
    onProgress: ({ done, total }) => progress.push(done / total),
  });
  t.deepEqual(
    found.proposals.map((each) => each.files),
    [['a.pb', 'c.pb'], ['b.pb'], ['d.pb']],
  );
  t.deepEqual(found.conflicts, [{ files: ['a.pb', 'b.pb'], elements: ['/Channel/Orderer/BatchTimeout'] }]);
  t.deepEqual(
    progress,
    progress.toSorted((one, other) => one - other),
  );
  t.is(progress.at(-1), 1);
  const documents = proposalsDocuments(found);
  t.deepEqual(
    documents.slice(1).map(({ title }) => title),
    ['a.pb, c.pb', 'b.pb', 'd.pb'],
  );
  t.is(
    documentText(documents[0]!),
    '1 conflict: of two updates that change the same element only one can be accepted\n  a.pb and b.pb both change /Channel/Orderer/BatchTimeout: once one is accepted, make the other again with configtxlator rebase\n',
  );
  t.is(proposalsDocuments({ ...found, conflicts: [] }).length, 3);
});

test('an update that orderers would refuse has no conflicts', async (t) => {
  const empty = (config: Config): Edited => setByPath(config, 'orderer.batchTimeout', '0s');
  const found = await reviewProposals(
    [
      { name: 'a.pb', bytes: updateWith(timeout) },
      { name: 'b.pb', bytes: updateWith(empty) },
    ],
    BLOCK,
    { now: NOW },
  );
  t.deepEqual(
    found.proposals.map((each) => verdictOf(each.review)),
    ['unsigned', 'refused'],
  );
  t.deepEqual(found.conflicts, []);
});

test('a group that its parent names has no row of its own, unless there is more to say about it', async (t) => {
  const element = (path: string, change: 'new' | 'modified', data: Review['elements'][number]['data']) => ({
    element: path,
    kind: 'group' as const,
    change,
    policy: null,
    satisfied: true,
    signers: [],
    words: ['in words'],
    data,
  });
  const added = (label: string) => ({ change: 'added' as const, label });
  const { sections = [] } = reviewDocument({
    ...(await reviewed()),
    elements: [
      element('/Channel/Application', 'modified', [added('Org3'), added('Org4')]),
      element('/Channel/Application/Org3', 'new', []),
      element('/Channel/Application/Org4', 'new', [{ change: 'content', label: 'mod_policy', after: 'X' }]),
      element('/Channel/Application/Org5', 'new', []),
    ],
  });
  const [block] = sections.find(({ id }) => id === 'changes')!.blocks;
  t.deepEqual(block!.kind === 'rows' ? block!.rows.map(({ cells }) => cells[0]) : [], [
    '/Channel/Application',
    '/Channel/Application/Org4',
    '/Channel/Application/Org5',
  ]);
});

for (const [count, end] of [
  [20, '/E19'],
  [21, '/E19, and 1 more'],
] as const)
  test(`of ${count} elements in a conflict 20 are named`, (t) => {
    const elements = Array.from({ length: count }, (_, index) => `/E${index}`);
    const [document] = proposalsDocuments({ proposals: [], conflicts: [{ files: ['a', 'b'], elements }] });
    t.true(documentText(document!).includes(`${end}: once one is accepted`));
  });
