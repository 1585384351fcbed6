// The words, the outcome and the JSON of a rehearsal.

import test from 'ava';
import { documentText } from '../../../translator/documents/index.js';
import type { Finding } from '../../../translator/review/index.js';
import {
  EXIT_STATUS_OF,
  outcomeOf,
  rehearsalDocument,
  rehearsalJson,
  type Loss,
  type Rehearsal,
} from '../../../translator/rehearse/index.js';

const finding = (id: string, text: string): Finding =>
  ({ id, severity: 'danger', path: '/Channel/Readers', text }) as unknown as Finding;

const NO_LEADER: Loss = { phase: 'restarted', probe: 'order', who: 'all', reason: 'status 503: no leader' };
const PEER: Loss = {
  phase: 'after',
  probe: 'height',
  who: 'peer1',
  reason: 'it has 4 blocks',
  line: 'ERRO x',
};
const ADMIN: Loss = {
  phase: 'after',
  probe: 'fetch',
  who: 'Org1MSP',
  reason: 'it has 4 blocks',
  line: 'ERRO x',
};

const HARMLESS: Rehearsal = {
  channel: 'ch1',
  fabric: '3.1.5',
  orderers: 3,
  peers: 1,
  replaced: { certificates: 9, cas: 4, addresses: 1 },
  notes: [],
  failedBefore: [],
  updates: [{ name: 'update.pb', outcome: 'accepted', reason: '', losses: [] }],
  oneDown: { node: 'orderer3', losses: [] },
  restarted: { losses: [] },
  worked: [
    { probe: 'transaction', who: 'Org1MSP' },
    { probe: 'fetch', who: 'orderer1' },
  ],
  nodes: [
    {
      name: 'orderer1',
      kind: 'orderer',
      mspId: 'OrdererMSP',
      original: { host: 'o1.example.com', port: 7050 },
      isDown: true,
    },
    { name: 'peer1', kind: 'peer', mspId: 'Org1MSP', original: undefined, isDown: false },
  ],
  review: { foretold: [], notForetold: [], notSeen: [], notTried: [] },
  seconds: 48,
};

test('a rehearsal without losses names what was tried and what was not', (t) => {
  t.is(
    documentText(rehearsalDocument(HARMLESS)),
    `rehearsed on 127.0.0.1 with new keys: channel ch1, 3 orderers, 1 peer of Fabric 3.1.5; 9 certificates, 4 CAs and 1 address replaced
  nodes             orderer1 is o1.example.com:7050 (down)
  before            2 things tried that worked: fetching blocks, transactions
  update            accepted, and in a block
  at once           nothing lost of what worked before; not tried: peers of other organisations
  orderer3 stopped  nothing lost of what worked before; not tried: chaincode definitions and peers of other organisations
  after a restart   nothing lost of what worked before
  review            foretold no loss
  not tried         Idemix, private data, chaincode, CouchDB, clocks, nodes outside of the copy
  took              48 s
`,
  );
  t.is(outcomeOf(HARMLESS), 'nothing lost');
});

const LOST: Rehearsal = {
  ...HARMLESS,
  notes: ['no peers of Org7 run'],
  failedBefore: [{ phase: 'before', probe: 'gossip', who: 'peer1', reason: 'nobody' }],
  updates: [{ name: 'update.pb', outcome: 'accepted', reason: '', losses: [PEER, ADMIN] }],
  oneDown: null,
  restarted: { losses: [NO_LEADER] },
  review: {
    foretold: [PEER, ADMIN],
    notForetold: [NO_LEADER],
    notSeen: [finding('a', 'something stops')],
    notTried: [finding('b', 'somebody gains')],
  },
};

test('losses with one reason are one sentence, with the line of the log; beside them is what the review foretold', (t) => {
  t.deepEqual(documentText(rehearsalDocument(LOST)).split('\n').slice(2, -3), [
    '  note             no peers of Org7 run',
    '  before           2 things tried that worked: fetching blocks, transactions',
    '                   did not work before, and was not tried again: peer1 does not know the peers of the other organisations',
    '  update           accepted, and in a block',
    '  at once          peer1 does not get the newest blocks; Org1MSP: no block can be fetched (it has 4 blocks; its log: ERRO x)',
    '  after a restart  an accepted update gets into no block (status 503: no leader)',
    '  review           foretold: peer1 does not get the newest blocks; Org1MSP: no block can be fetched',
    '                   not foretold: an accepted update gets into no block',
    '                   foretold and not seen: /Channel/Readers: something stops',
    '                   foretold and not tried: /Channel/Readers: somebody gains',
  ]);
  t.is(outcomeOf(LOST), 'lost');
});

const REFUSED: Rehearsal = {
  ...HARMLESS,
  updates: [
    { name: 'a.pb', outcome: 'refused', reason: 'FORBIDDEN', losses: [] },
    { name: 'b.pb', outcome: 'skipped', reason: '', losses: [] },
  ],
  oneDown: null,
  restarted: null,
};

test('a refused update has the response of the orderers, and the updates after it are skipped', (t) => {
  t.deepEqual(documentText(rehearsalDocument(REFUSED)).split('\n').slice(3, 5), [
    '  update     a.pb: refused: FORBIDDEN',
    '  update     b.pb: not submitted, because an update before it was not accepted',
  ]);
  t.is(outcomeOf(REFUSED), 'refused');
});

const UNSERVED: Rehearsal = {
  ...REFUSED,
  updates: [
    { name: 'a.pb', outcome: 'unserved', reason: 'status 503: no leader', losses: [] },
    { name: 'b.pb', outcome: 'skipped', reason: '', losses: [] },
  ],
};

test('the exit status is 0 without losses, 2 for a refusal, 3 if no orderer serves the channel, and 4 for a loss', (t) => {
  t.deepEqual(
    [HARMLESS, REFUSED, UNSERVED, LOST].map((each) => EXIT_STATUS_OF[outcomeOf(each)]),
    [0, 2, 3, 4],
  );
});

test('the JSON has the outcome first, and the findings of the review in short', (t) => {
  const json = JSON.parse(JSON.stringify(rehearsalJson(LOST))) as Record<string, unknown>;
  t.deepEqual(Object.entries(json)[0], ['outcome', 'lost']);
  t.deepEqual(json.review, {
    foretold: [PEER, ADMIN],
    notForetold: [NO_LEADER],
    notSeen: [{ id: 'a', path: '/Channel/Readers', text: 'something stops' }],
    notTried: [{ id: 'b', path: '/Channel/Readers', text: 'somebody gains' }],
  });
});
