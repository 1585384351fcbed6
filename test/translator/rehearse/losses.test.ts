// The words of losses.

import test from 'ava';
import { ALL, lossText, type Probe } from '../../../translator/rehearse/losses.js';

const TEXTS: readonly (readonly [Probe, string, string])[] = [
  ['process', 'orderer1', 'orderer1 does not run any more'],
  ['start', 'peer1', 'peer1 does not start'],
  ['fetch', 'orderer2', 'orderer2: no block can be fetched'],
  ['fetch', 'Org1MSP', 'Org1MSP: no block can be fetched'],
  ['order', ALL, 'an accepted update gets into no block'],
  ['height', 'peer1', 'peer1 does not get the newest blocks'],
  ['approve', 'Org1MSP', 'Org1MSP cannot approve a chaincode definition'],
  ['commit', ALL, 'no chaincode definition can be committed'],
  ['transaction', 'Org1MSP', 'clients of Org1MSP cannot submit transactions'],
  ['submit', 'Org1MSP', 'admins of Org1MSP cannot submit config updates'],
  ['update', '/Channel/Orderer', 'all admins together cannot change /Channel/Orderer'],
  ['gossip', 'peer2', 'peer2 does not know the peers of the other organisations'],
];

for (const [probe, who, text] of TEXTS)
  test(`the loss ${probe} of ${who} in words`, (t) => t.is(lossText({ probe, who }), text));
