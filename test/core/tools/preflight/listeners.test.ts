// The addresses of a node, in the words of its program. test/e2e/preflight.test.ts compares them with the programs of Fabric.

import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { causesOf, type ChangedNode } from '../../../helpers/preflight-node.js';

type Kind = ChangedNode['kind'];

/** Without Docker and without TLS, whose files these tests do not change. */
const found = async (t: ExecutionContext, kind: Kind, values: Readonly<Record<string, unknown>>) =>
  (await causesOf(t, { kind, values })).map(({ id, where, prints }) => `${id} at ${where}: ${prints}`);

const INVALID: readonly (readonly [
  kind: Kind,
  values: Readonly<Record<string, unknown>>,
  expected: readonly string[],
])[] = [
  [
    'orderer',
    { 'Operations.ListenAddress': 'localhost' },
    [
      'address-invalid at orderer.yaml: Operations.ListenAddress: failed to start operations subsystem: listen tcp: address localhost: missing port in address',
    ],
  ],
  ['orderer', { 'Operations.ListenAddress': '' }, []],
  ['orderer', { 'Operations.ListenAddress': '192.0.2.1:0' }, []],
  [
    'orderer',
    { 'Operations.ListenAddress': '192.0.2.1:01' },
    [
      'address-unusable at orderer.yaml: Operations.ListenAddress: failed to start operations subsystem: listen tcp 192.0.2.1:01: bind: cannot assign requested address',
    ],
  ],
  [
    'orderer',
    { 'Admin.ListenAddress': '127.0.0.1:x' },
    [
      'address-invalid at orderer.yaml: Admin.ListenAddress: failed to start admin server: listen tcp: lookup tcp/x: unknown port',
    ],
  ],
  ['orderer', { 'General.Profile': { Address: 'x' } }, []],
  [
    'orderer',
    { 'General.Profile': { Address: 'x', Enabled: true } },
    [
      'address-invalid at orderer.yaml: General.Profile.Address: Go pprof service failed: listen tcp: address x: missing port in address',
    ],
  ],
  [
    'orderer',
    { 'General.ListenAddress': '192.0.2.1', 'General.ListenPort': 65_536 + 10_007 },
    [
      'address-unusable at orderer.yaml: General.ListenPort: Failed to listen: listen tcp 192.0.2.1:10007: bind: cannot assign requested address',
    ],
  ],
  [
    'orderer',
    { 'General.ListenAddress': '192.0.2.1', 'General.ListenPort': 0 },
    [
      'address-unusable at orderer.yaml: General.ListenPort: Failed to listen: listen tcp 192.0.2.1:7050: bind: cannot assign requested address',
    ],
  ],
  [
    'peer',
    { 'operations.listenAddress': 'x' },
    [
      'address-invalid at core.yaml: operations.listenAddress: failed to initialize operations subsystem: listen tcp: address x: missing port in address',
    ],
  ],
  [
    'peer',
    { 'peer.listenAddress': '' },
    [
      'address-invalid at core.yaml: peer.listenAddress: Failed to create peer server (missing address parameter',
    ],
  ],
  [
    'peer',
    { 'peer.listenAddress': '192.0.2.1:1' },
    [
      'address-unusable at core.yaml: peer.listenAddress: Failed to create peer server (listen tcp 192.0.2.1:1: bind: cannot assign requested address',
    ],
  ],
  [
    'peer',
    { 'peer.chaincodeListenAddress': '192.0.2.1:1' },
    [
      'address-unusable at core.yaml: peer.chaincodeListenAddress: Failed to create chaincode server: listen tcp 192.0.2.1:1: bind: cannot assign requested address',
    ],
  ],
  [
    'peer',
    { 'peer.chaincodeListenAddress': '', 'peer.address': '192.0.2.1:1' },
    [
      'address-unusable at core.yaml: peer.chaincodeListenAddress: Failed to create chaincode server: listen tcp 192.0.2.1:7052: bind: cannot assign requested address',
    ],
  ],
  ['peer', { 'peer.address': '' }, ["address-invalid at core.yaml: peer.address: peer.address isn't set"]],
  [
    'peer',
    { 'peer.address': 'abc' },
    ["address-invalid at core.yaml: peer.address: peer.address isn't in host:port format: abc"],
  ],
  [
    'peer',
    { 'peer.address': 'p0:x' },
    [
      'address-invalid at core.yaml: peer.address: failed obtaining gossip config: strconv.ParseInt: parsing "x": invalid syntax',
    ],
  ],
  ['peer', { 'peer.address': 'p0:65535' }, []],
  [
    'peer',
    { 'peer.address': 'p0:65536' },
    ["address-invalid at core.yaml: peer.address: Self endpoint p0:65536's port takes more than 16 bits"],
  ],
  [
    'peer',
    { 'peer.address': '[::1]:7051' },
    ["address-invalid at core.yaml: peer.address: Self endpoint [::1]:7051 isn't formatted as 'host:port'"],
  ],
  ['peer', { 'peer.address': '[::]:7051' }, []],
  [
    'peer',
    { 'peer.gossip.endpoint': 'abc' },
    [
      'address-invalid at core.yaml: peer.gossip.endpoint: failed obtaining gossip config: address abc: missing port in address',
    ],
  ],
  [
    'peer',
    { 'peer.gossip.endpoint': 'abc', 'peer.address': '' },
    ["address-invalid at core.yaml: peer.address: peer.address isn't set"],
  ],
  ['peer', { 'peer.chaincodeAddress': '0.0.0.0:7052', 'chaincode.mode': 'dev' }, []],
  [
    'peer',
    { 'peer.chaincodeAddress': '0.0.0.0:7052' },
    [
      'address-invalid at core.yaml: peer.chaincodeAddress: Failed to create chaincode server: invalid endpoint for chaincode to connect',
    ],
  ],
  [
    'peer',
    { 'peer.chaincodeAddress': 'abc' },
    [
      'address-invalid at core.yaml: peer.chaincodeAddress: Failed to create chaincode server: address abc: missing port in address',
    ],
  ],
  [
    'peer',
    { 'peer.chaincodeListenAddress': 'abc' },
    [
      'address-invalid at core.yaml: peer.chaincodeListenAddress: Failed to create chaincode server: address abc: missing port in address',
    ],
  ],
  ['peer', { 'peer.chaincodeListenAddress': '0.0.0.0:0' }, []],
];

for (const [kind, values, expected] of INVALID)
  test(`the addresses of ${kind === 'peer' ? 'a peer' : 'an orderer'} with ${JSON.stringify(values)}: ${expected.join('; ') || 'no fault'}`, async (t) => {
    t.deepEqual(await found(t, kind, values), [...expected]);
  });

for (const [kind, key, prints, name] of [
  ['orderer', 'Operations.ListenAddress', 'failed to start operations subsystem', 'the operations endpoint'],
  ['orderer', 'Admin.ListenAddress', 'failed to start admin server', 'the Admin endpoint'],
  [
    'peer',
    'operations.listenAddress',
    'failed to initialize operations subsystem',
    'the operations endpoint',
  ],
  ['peer', 'peer.listenAddress', 'Failed to create peer server (', 'the service'],
  ['peer', 'peer.chaincodeListenAddress', 'Failed to create chaincode server', 'the chaincode endpoint'],
] as const)
  test(`${key} with the port of another program is the address of ${name}`, async (t) => {
    const server = createServer().listen(0, '127.0.0.1');
    t.teardown(() => server.close());
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const address = `127.0.0.1:${port}`;
    const causes = await causesOf(t, { kind, values: { [key]: address } });
    t.deepEqual(
      causes.map((each) => [each.id, each.prints, each.means]),
      [
        [
          'port-taken',
          `${prints}${prints.endsWith('(') ? '' : ': '}listen tcp ${address}: bind: address already in use`,
          `another program listens on ${address}, the address of ${name}`,
        ],
      ],
    );
  });
