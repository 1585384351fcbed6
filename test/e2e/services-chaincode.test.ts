// The services of powers/README.md that need a running chaincode, on real networks, as in services.test.ts: with the peer program,
// and with the gateway of the peer as applications use it.

import test from 'ava';
import { addBuilder, startChaincode } from './fabric/chaincode.js';
import { openGateway, type Gateway } from './fabric/gateway.js';
import { startNetwork } from './fabric/network.js';
import { aclLoss, DENIED, invoke, query, seen, take, type Loss, type Use } from './fabric/services.js';

/** Uses of services, and the error that a client sees afterwards. */
type Uses = readonly (readonly [Use, RegExp])[];

interface ChaincodeCase extends Loss {
  readonly chaincodes: readonly string[];
  /** Does what must be done before the update; returns the uses that are lost. */
  readonly prepare: (gateway: Gateway) => Promise<Uses>;
}

/** Resolves with the error of a call, or with nothing. */
const failureOf = (call: () => Promise<unknown>): Promise<string> =>
  call().then(
    () => '',
    (error: Error) => error.message,
  );

const NAME = 'first';
const put = invoke(['--waitForEvent'], NAME, 'put');

/** Submits a transaction; returns its id. */
async function submitPut(gateway: Gateway): Promise<string> {
  const endorsed = await gateway.endorse(NAME, 'put');
  await gateway.submit(endorsed);
  return endorsed.id;
}

const CASES: readonly (readonly [title: string, ChaincodeCase])[] = [
  [
    'endorse: Endorsement names admins instead of peers',
    {
      lost: ['endorse: peer of Org1MSP'],
      dangers: ['service-lost'],
      edit: ['policy set', 'Application/Endorsement', "OR('Org1MSP.admin')"],
      chaincodes: [NAME],
      prepare: async (gateway) => [
        [put, /transaction invalidated with status \(ENDORSEMENT_POLICY_FAILURE\)/],
        [
          () => failureOf(() => gateway.endorse(NAME, 'put')),
          /no combination of peers can be derived which satisfy the endorsement policy/,
        ],
      ],
    },
  ],
  [
    'call-chaincode: the ACL of peer/ChaincodeToChaincode names admins of orderers',
    {
      ...aclLoss('call-chaincode', 'peer/ChaincodeToChaincode'),
      chaincodes: [NAME, 'second'],
      prepare: async () => [[query(NAME, 'call', 'second'), DENIED]],
    },
  ],
  [
    'gateway.Evaluate and gateway.Endorse: the ACL of peer/Propose names admins of orderers',
    {
      ...aclLoss('propose', 'peer/Propose'),
      chaincodes: [NAME],
      prepare: async (gateway) => [
        [() => failureOf(() => gateway.evaluate(NAME, 'read')), DENIED],
        [() => failureOf(() => gateway.endorse(NAME, 'put')), DENIED],
      ],
    },
  ],
  [
    'gateway.Submit: Writers of the organisation names its admins alone',
    {
      lost: ['submit-transactions: client of Org1MSP'],
      dangers: ['service-lost'],
      edit: ['policy set', 'Application/Org1MSP/Writers', "OR('Org1MSP.admin')"],
      chaincodes: [NAME],
      prepare: async (gateway) => {
        const endorsed = await gateway.endorse(NAME, 'put');
        return [[() => failureOf(() => gateway.submit(endorsed)), /FORBIDDEN/]];
      },
    },
  ],
  [
    'gateway.CommitStatus: the ACL of gateway/CommitStatus names admins of orderers',
    {
      ...aclLoss('read-events', 'gateway/CommitStatus'),
      chaincodes: [NAME],
      prepare: async (gateway) => {
        const id = await submitPut(gateway);
        return [[() => failureOf(() => gateway.commitStatus(id)), DENIED]];
      },
    },
  ],
  [
    'gateway.ChaincodeEvents: the ACL of gateway/ChaincodeEvents names admins of orderers',
    {
      ...aclLoss('read-events', 'gateway/ChaincodeEvents'),
      chaincodes: [NAME],
      prepare: async (gateway) => {
        await gateway.commitStatus(await submitPut(gateway));
        return [[() => failureOf(() => gateway.nextEvent(NAME)), DENIED]];
      },
    },
  ],
];

for (const [title, given] of CASES)
  test.serial(title, async (t) => {
    const network = await startNetwork(t);
    await addBuilder(network.peers[0]);
    for (const name of given.chaincodes) await startChaincode(t, network, name);
    const uses = await given.prepare(await openGateway(t, network));
    for (const [use] of uses) await seen(network, use, /^$/);
    await take(t, network, given);
    for (const [use, error] of uses) await seen(network, use, error);
  });
