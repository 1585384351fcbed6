// Which losses a review foretold, and which of its dangers did not happen.

import test from 'ava';
import type { Finding } from '../../../translator/review/index.js';
import { compareLosses, type Membership } from '../../../translator/rehearse/foretold.js';
import type { Loss, Probe } from '../../../translator/rehearse/losses.js';

const MEMBERS: Membership = {
  organizations: [
    { name: 'Org1', path: '/Channel/Application/Org1', section: 'Application', mspId: 'Org1MSP' },
    { name: 'Org2', path: '/Channel/Application/Org2', section: 'Application', mspId: 'Org2MSP' },
    { name: 'Orderers', path: '/Channel/Orderer/Orderers', section: 'Orderer', mspId: 'OrdererMSP' },
  ],
  nodes: [
    { name: 'orderer1', kind: 'orderer', mspId: 'OrdererMSP' },
    { name: 'peer1', kind: 'peer', mspId: 'Org1MSP' },
    { name: 'peer2', kind: 'peer', mspId: 'Org2MSP' },
  ],
  notTried: new Set(['msp-revocation']),
};

const finding = (id: string, path: string, data: object = {}, severity = 'danger'): Finding =>
  ({ id, severity, path, data, text: 'text' }) as unknown as Finding;

const service = (name: string, role: string, ...organizations: readonly string[]): Finding =>
  finding('service-lost', '/Channel/Readers', {
    services: [{ service: name, resources: [], actors: [{ role, organizations }] }],
  });

const loss = (probe: Probe, who: string): Loss => ({ phase: 'after', probe, who, reason: 'reason' });

type Counts = readonly [foretold: number, notForetold: number, notSeen: number, notTried: number];

const CASES: readonly (readonly [
  what: string,
  findings: readonly Finding[],
  losses: readonly Loss[],
  counts: Counts,
])[] = [
  ['a loss without a finding is not foretold', [], [loss('approve', 'Org1MSP')], [0, 1, 0, 0]],
  [
    'a service of an organisation foretells the losses of its nodes and users',
    [service('read-blocks', 'peer', 'Org1')],
    [loss('height', 'peer1'), loss('approve', 'Org1MSP')],
    [2, 0, 0, 0],
  ],
  [
    'a service of one organisation foretells no loss of another one',
    [service('read-blocks', 'peer', 'Org1')],
    [loss('height', 'peer2')],
    [0, 1, 1, 0],
  ],
  [
    'the losses of an ACL without a policy are those in its finding; of a resource that is not used, none is tried',
    ['event/FilteredBlock', 'event/Block'].map((resource) =>
      finding('acl-policy-missing', '/Channel/Application/ACLs', {
        losses: [
          {
            service: 'read-events',
            resources: [resource],
            actors: [{ role: 'admin', organizations: ['Org1'] }],
          },
        ],
      }),
    ),
    [loss('approve', 'Org1MSP')],
    [1, 0, 0, 1],
  ],
  [
    'a service of orderers foretells all losses',
    [service('make-blocks', 'orderer', 'Orderers')],
    [loss('height', 'peer2'), loss('process', 'orderer1')],
    [2, 0, 0, 0],
  ],
  [
    'a danger at an element of one organisation does not foretell that no update gets into a block',
    [finding('msp-ca-removed', '/Channel/Application/Org1/MSP')],
    [loss('order', 'all')],
    [0, 1, 1, 0],
  ],
  [
    'a service foretells no loss of another kind',
    [service('submit-transactions', 'client', 'Org1')],
    [loss('height', 'peer1')],
    [0, 1, 1, 0],
  ],
  [
    'a danger at an element of the orderers foretells all losses',
    [finding('raft-tick', '/Channel/Orderer/ConsensusType')],
    [loss('transaction', 'Org2MSP')],
    [1, 0, 0, 0],
  ],
  [
    'a warning foretells too, and is not expected to happen',
    [finding('value', '/Channel/Application/Org1/MSP', {}, 'warning')],
    [loss('submit', 'Org1MSP')],
    [1, 0, 0, 0],
  ],
  ['a danger that did not happen is not seen', [finding('raft-tick', '/Channel/Orderer')], [], [0, 0, 1, 0]],
  [
    'a danger that nothing tries is not tried',
    [
      finding('policy-weakened', '/Channel/Admins'),
      finding('msp-revocation', '/Channel/Orderer/Orderers/MSP'),
    ],
    [],
    [0, 0, 0, 2],
  ],
  [
    'a definition that an organisation cannot approve is not committed: that danger was not tried',
    [service('commit-chaincode', 'admin', 'Org1')],
    [loss('approve', 'Org2MSP')],
    [0, 1, 0, 1],
  ],
  [
    'all admins of the orderers change the group of the orderers',
    [service('administer', 'admin', 'Orderers')],
    [loss('update', '/Channel/Orderer'), loss('update', '/Channel/Application/Org1')],
    [1, 1, 0, 0],
  ],
];

for (const [what, findings, losses, counts] of CASES)
  test(what, (t) => {
    const { foretold, notForetold, notSeen, notTried } = compareLosses(findings, losses, MEMBERS);
    t.deepEqual([foretold.length, notForetold.length, notSeen.length, notTried.length], counts);
  });
