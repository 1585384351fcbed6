// Routine updates that look harmful, and are not: none is dangerous, and each sentence is exact.

import test from 'ava';
import { readUpdateFile } from '../../../translator/channel/index.js';
import { removeConsenter, unsignedUpdate } from '../../../translator/edit/index.js';
import { parseSignaturePolicy, writeSignaturePolicy } from '../../../translator/policy/index.js';
import { headlineOf, review, summaryOf, verdictOf, type Review } from '../../../translator/review/index.js';
import { inMsp, inRaft, ordererOrg, org1, reviewOf, type Group } from '../../helpers/changed-config.js';
import { makeCertificate } from '../../helpers/made-certificates.js';
import { configBlock } from '../../helpers/migration.js';
import type { Tree } from '../../fuzz/review/messages.js';

const nodeOus = (msp: Tree): Tree => msp.fabric_node_ous as Tree;

/** A BFT channel of four consenters without the last one. */
async function withoutFourth(): Promise<Review> {
  const block = configBlock(5);
  const { config } = removeConsenter(block.config, '127.0.0.1:27079');
  const { bytes } = unsignedUpdate(block.config, config, block.channel ?? '');
  return review(readUpdateFile(bytes), block, { now: new Date('2026-11-24T00:00:00Z') });
}

const TLS = makeCertificate({ commonName: 'tlsca' });
const setTls = (channel: Group): void =>
  inRaft(channel, (metadata) => {
    const [consenter] = metadata.consenters as Tree[];
    const { pem } = makeCertificate({ commonName: 'orderer', issuer: TLS });
    Object.assign(consenter!, { client_tls_cert: pem, server_tls_cert: pem });
  });

const ROOT = makeCertificate({ commonName: 'ca.org1' });
const ADMIN = makeCertificate({ commonName: 'admin', unit: 'admin', issuer: ROOT });
const USER = makeCertificate({ commonName: 'user', unit: 'client', issuer: ROOT });

/** NodeOUs of Org1 are turned on, which lists some admins. */
const withNodeOus = async (...admins: readonly (typeof ADMIN)[]): Promise<Review> =>
  reviewOf(
    'meta4',
    (channel) => inMsp(org1(channel), (msp) => (nodeOus(msp).enable = true)),
    (channel) =>
      inMsp(org1(channel), (msp) => {
        Object.assign(msp, { root_certs: [ROOT.pem], admins: admins.map(({ pem }) => pem) });
        for (const unit of Object.values(nodeOus(msp)))
          if (typeof unit === 'object') (unit as Tree).certificate = new Uint8Array();
        nodeOus(msp).enable = false;
      }),
  );
const NODE_OUS_ON =
  'NodeOUs are turned on for Org1: if nodes, admins or clients have certificates without exactly one OU of these roles, they do not count any more';

for (const [what, reviewed, matters] of [
  [
    'BFT: four consenters become three',
    withoutFourth,
    '2 of the 3 remaining consenters must stay up, Byzantine faults tolerated: 1 → 0',
  ],
  [
    'NodeOUs are turned on, and the known certificates have their units',
    () => withNodeOus(ADMIN),
    NODE_OUS_ON,
  ],
  [
    'NodeOUs are turned on, and a listed admin has the unit of clients',
    () => withNodeOus(ADMIN, USER),
    NODE_OUS_ON,
  ],
  [
    'an application organisation changes its unit of orderers',
    () =>
      reviewOf('app3', (channel) =>
        inMsp(org1(channel), (msp) => {
          (nodeOus(msp).orderer_ou_identifier as Tree).organizational_unit_identifier = 'other';
        }),
      ),
    '',
  ],
  [
    'the only consenter gets another TLS key',
    () =>
      reviewOf('raft1', setTls, (channel) => {
        inMsp(ordererOrg(channel), (msp) => {
          msp.tls_root_certs = [...(msp.tls_root_certs as Uint8Array[]), TLS.pem];
        });
        setTls(channel);
      }),
    'until this consenter runs with the new certificates, the channel stops',
  ],
  [
    'the Admins of an organisation need two of its admins',
    () =>
      reviewOf('app3', (channel) => {
        const rule = parseSignaturePolicy("OutOf(2, 'Org1MSP.admin', 'Org1MSP.admin')");
        org1(channel).policies.Admins!.policy = { type: 1, value: writeSignaturePolicy(rule) };
      }),
    '',
  ],
] as const satisfies readonly (readonly [string, () => Promise<Review>, string])[])
  test(`no false alarm: ${what}`, async (t) => {
    const found = await reviewed();
    t.deepEqual([verdictOf(found), headlineOf(found).matters], ['unsigned', matters]);
  });

test('the sentence about fewer BFT consenters does not repeat the whole BlockValidation', async (t) => {
  const summary = summaryOf(await withoutFourth());
  t.true(
    summary.startsWith('warning: removes consenter 4 (127.0.0.1:27079, OrdererMSP), removes endpoint '),
    summary,
  );
  t.false(/BlockValidation|SHA-256|IDENTITY/i.test(summary), summary);
});
