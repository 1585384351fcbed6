import test from 'ava';
import type { Finding } from '../../translator/review/index.js';
import type { Loss } from '../../translator/rehearse/losses.js';
import { judge } from './judge.js';

const finding = (id: string, path: string, data: object = {}, severity = 'danger'): Finding =>
  ({ id, path, data, severity, text: id, todo: '', orderer: null }) as unknown as Finding;

const loss = (probe: Loss['probe'], who: string): Loss => ({
  phase: 'after',
  probe,
  who,
  reason: 'status 403',
});

const lostBy = (service: string, role: string, name: string, resources: readonly string[] = []): Finding =>
  finding('service-lost', '/Channel/Application', {
    services: [{ service, resources, actors: [{ role, organizations: [name], count: 1, issuers: [] }] }],
  });

const verdict = (findings: readonly Finding[], losses: readonly Loss[]) => {
  const { notNamed, falseDangers, notSeen } = judge([{ findings, losses }]);
  return [notNamed.length, falseDangers.length, notSeen.length];
};

for (const [title, findings, losses, expected] of [
  ['a loss without a finding is not named', [], [loss('approve', 'Org1MSP')], [1, 0, 0]],
  [
    'a danger without a loss is false',
    [finding('block-validation', '/Channel/Orderer/BlockValidation')],
    [],
    [0, 1, 0],
  ],
  [
    'a danger of the orderers names every loss',
    [finding('bft-option', '/Channel/Orderer/ConsensusType')],
    [loss('process', 'orderer1'), loss('approve', 'Org1MSP')],
    [0, 0, 0],
  ],
  [
    'a danger of an MSP names the losses of its organisation alone',
    [finding('msp-ca-removed', '/Channel/Application/Org1MSP/MSP')],
    [loss('fetch', 'Org1MSP'), loss('fetch', 'Org2MSP')],
    [1, 0, 0],
  ],
  [
    'a lost service names what fails without it, of its actors alone',
    [lostBy('approve-chaincode', 'peer', 'Org1MSP')],
    [loss('approve', 'Org1MSP'), loss('approve', 'Org2MSP'), loss('fetch', 'Org1MSP')],
    [2, 0, 0],
  ],
  [
    'a lost service that is not tried is not false',
    [lostBy('query-ledger', 'client', 'Org1MSP', ['qscc/GetChainInfo'])],
    [],
    [0, 0, 1],
  ],
  [
    'a mod_policy that is missing names further updates of its organisation alone',
    [finding('mod-policy-missing', '/Channel/Application/Org1MSP')],
    [loss('update', '/Channel/Application/Org1MSP'), loss('fetch', 'Org1MSP')],
    [1, 0, 0],
  ],
  [
    'a danger for a signer alone does not name what his organisation loses',
    [finding('signer-cut-off', '/Channel/Application/Org1MSP/MSP')],
    [loss('fetch', 'Org1MSP')],
    [1, 0, 0],
  ],
  [
    'a gain is no loss',
    [finding('policy-weakened', '/Channel/Admins')],
    [loss('submit', 'Org1MSP')],
    [1, 0, 1],
  ],
  [
    'a definition is not committed if an organisation cannot approve it: the danger is not seen',
    [lostBy('define-chaincode', 'peer', 'Org2MSP'), lostBy('approve-chaincode', 'peer', 'Org1MSP')],
    [loss('approve', 'Org1MSP')],
    [0, 0, 1],
  ],
  [
    'a definition is committed although nobody can: the danger is false',
    [lostBy('define-chaincode', 'peer', 'Org2MSP')],
    [],
    [0, 1, 0],
  ],
  [
    'all admins sign: that those of one organisation do not count is not seen',
    [finding('policy-foreign-msp', '/Channel/Application/Org2MSP/Admins')],
    [],
    [0, 0, 1],
  ],
  [
    'a warning names a loss, and is never false',
    [finding('anchor-peers-removed', '/Channel/Application/Org1MSP', {}, 'warning')],
    [loss('gossip', 'peer1')],
    [0, 0, 0],
  ],
  [
    'a warning without a loss is not false',
    [finding('capability-raised', '/Channel', {}, 'warning')],
    [],
    [0, 0, 0],
  ],
] as const)
  test(title, (t) => {
    t.deepEqual(verdict(findings, losses), [...expected]);
  });

const stopped = [loss('process', 'orderer1'), loss('approve', 'Org1MSP')];
const warning = finding('consenter-moved', '/Channel/Orderer/ConsensusType', {}, 'warning');

test('of two steps, the findings of the second name what it completes', (t) => {
  const first = { findings: [warning], losses: [] };
  t.deepEqual(judge([first, { findings: [], losses: stopped }]).notNamed, stopped);
  t.deepEqual(judge([first, { findings: [warning], losses: stopped }]).notNamed, []);
});

test('of two steps, the second need not name what the first has taken', (t) => {
  const steps = [
    { findings: [warning], losses: stopped },
    { findings: [], losses: stopped },
  ];
  t.deepEqual(judge(steps).notNamed, []);
});

test('the timeout for a leader that fails is not false: none fails', (t) => {
  const danger = finding('bft-duration-long', '/Channel/Orderer/ConsensusType');
  const findings = [{ ...danger, text: 'leader_heartbeat_timeout 2h is longer than an hour' } as Finding];
  t.deepEqual(verdict(findings, []), [0, 0, 1]);
});
