// The variables with which preflight isolates a program, also without a network namespace; program.test.ts starts programs with them.

import test, { type ExecutionContext } from 'ava';
import { stringify } from 'yaml';
import { isolate, type Isolation } from '../../../../core/tools/preflight/isolation.js';
import { preflight } from '../../../../core/tools/preflight/preflight.js';
import { temporaryFolder } from '../../../helpers/folder.js';

const ALONE = { isAlone: true, hasLedger: true, version: '3.1.5' };
const NAMESPACE_NOTE =
  'this user may not make a network namespace: the program ran without the channels of the node';
const RUNNING_NOTE = 'the node runs: the program ran without its channels';

async function isolationOf(
  t: ExecutionContext,
  kind: 'peer' | 'orderer',
  values: object,
  surroundings: Partial<typeof ALONE> = {},
): Promise<Isolation> {
  const file = kind === 'peer' ? 'core.yaml' : 'orderer.yaml';
  const cwd = temporaryFolder(t, { [file]: stringify(values) });
  const { node } = await preflight({ file, variables: {}, cwd, version: '3.1' });
  return isolate(node!, '/copies', { ...ALONE, ...surroundings });
}

const LOGGING = { FABRIC_LOGGING_SPEC: 'info', FABRIC_LOGGING_FORMAT: '', TMPDIR: '/copies' };

test('in a network namespace an orderer with its channels keeps its addresses', async (t) => {
  t.deepEqual(await isolationOf(t, 'orderer', { General: { LocalMSPDir: 'msp' } }), {
    variables: LOGGING,
    notes: [],
  });
});

/** The variables with a port, which is another one in each test, in place of it; equal ports have equal names. */
function withoutPorts({ variables }: Isolation): Readonly<Record<string, string>> {
  const names = new Map<string, string>();
  return Object.fromEntries(
    Object.entries(variables).map(([name, value]) => [
      name,
      value.replace(/(?<=^127\.0\.0\.1:|^)\d+$/, (port) => {
        names.set(port, names.get(port) ?? `PORT${names.size + 1}`);
        return names.get(port)!;
      }),
    ]),
  );
}

test('without a network namespace each listener of a peer has another port, and its own is the one to bootstrap from', async (t) => {
  const found = await isolationOf(t, 'peer', { peer: { mspConfigPath: 'msp' } }, { isAlone: false });
  t.deepEqual(found.notes, [NAMESPACE_NOTE]);
  t.deepEqual(withoutPorts(found), {
    CORE_PEER_LISTENADDRESS: '127.0.0.1:PORT1',
    CORE_PEER_ADDRESS: '127.0.0.1:PORT1',
    CORE_PEER_GOSSIP_BOOTSTRAP: '127.0.0.1:PORT1',
    CORE_OPERATIONS_LISTENADDRESS: '127.0.0.1:PORT2',
    CORE_PEER_CHAINCODELISTENADDRESS: '127.0.0.1:PORT3',
    CORE_PEER_PROFILE_LISTENADDRESS: '127.0.0.1:PORT4',
    ...LOGGING,
  });
});

for (const [cluster, more] of [
  [{}, {}],
  [{ ListenPort: 0, ListenAddress: '' }, {}],
  [{ ListenPort: 1 }, { ORDERER_GENERAL_CLUSTER_LISTENPORT: 'PORT5' }],
  [{ ListenAddress: '0.0.0.0' }, { ORDERER_GENERAL_CLUSTER_LISTENADDRESS: '127.0.0.1' }],
] as const)
  test(`without a network namespace each listener of an orderer has another port, with General.Cluster ${JSON.stringify(cluster)}`, async (t) => {
    const General = { LocalMSPDir: 'msp', Cluster: cluster };
    const found = await isolationOf(t, 'orderer', { General }, { isAlone: false });
    t.deepEqual(withoutPorts(found), {
      ORDERER_GENERAL_LISTENADDRESS: '127.0.0.1',
      ORDERER_GENERAL_LISTENPORT: 'PORT1',
      ORDERER_OPERATIONS_LISTENADDRESS: '127.0.0.1:PORT2',
      ORDERER_ADMIN_LISTENADDRESS: '127.0.0.1:PORT3',
      ORDERER_GENERAL_PROFILE_ADDRESS: '127.0.0.1:PORT4',
      ...more,
      ...LOGGING,
    });
  });

for (const [version, method, surroundings, given, notes] of [
  ['2.5.16', 'file', {}, undefined, []],
  ['2.5.16', 'file', { hasLedger: false }, 'none', [RUNNING_NOTE]],
  ['2.5.16', '', { hasLedger: false }, 'none', [RUNNING_NOTE]],
  ['2.5.16', 'none', { hasLedger: false }, undefined, [RUNNING_NOTE]],
  ['3.1.5', 'file', { hasLedger: false }, undefined, [RUNNING_NOTE]],
  ['2.5.16', 'file', { isAlone: false }, 'none', [NAMESPACE_NOTE]],
  ['2.5.16', 'file', { isAlone: false, hasLedger: false }, 'none', [NAMESPACE_NOTE]],
] as const)
  test(`an orderer of ${version} with the bootstrap method '${method}' and ${JSON.stringify(surroundings)} ${given === undefined ? 'keeps it' : 'gets none, because it would make a system channel'}`, async (t) => {
    const General = { LocalMSPDir: 'msp', BootstrapMethod: method };
    const found = await isolationOf(t, 'orderer', { General }, { ...surroundings, version });
    t.is(found.variables['ORDERER_GENERAL_BOOTSTRAPMETHOD'], given);
    t.deepEqual(found.notes, [...notes]);
  });

test('a peer of 2.5 has no bootstrap method', async (t) => {
  const peer = { peer: { mspConfigPath: 'msp' } };
  const { variables } = await isolationOf(t, 'peer', peer, { hasLedger: false, version: '2.5.16' });
  t.deepEqual(variables, LOGGING);
});

for (const [provider, network, isOff] of [
  ['statsd', 'udp', true],
  ['statsd', 'tcp6', true],
  ['statsd', 'unix', false],
  ['statsd', '', false],
  ['prometheus', 'udp', false],
] as const)
  test(`the metrics provider ${provider} over '${network}' is ${isOff ? 'switched off' : 'left as it is'}`, async (t) => {
    const statsd = { network, address: '127.0.0.1:8125', writeInterval: '10s' };
    const found = await isolationOf(t, 'peer', { peer: {}, metrics: { provider, statsd } });
    t.is(found.variables['CORE_METRICS_PROVIDER'], isOff ? 'disabled' : undefined);
    t.is(found.notes.length, isOff ? 1 : 0);
  });

for (const [builders, isReplaced] of [
  [[], false],
  [[{ name: 'a', path: '/a' }], true],
  [
    [
      { name: 'a', path: '/a' },
      { name: 'b', path: '' },
    ],
    false,
  ],
  [[{ path: '/a' }], false],
  ['[{name: a, path: /a}]', true],
  [undefined, false],
] as const)
  test(`the external builders ${JSON.stringify(builders ?? null)} are ${isReplaced ? 'replaced' : 'left as they are, because the peer starts nothing with them'}`, async (t) => {
    const { variables } = await isolationOf(t, 'peer', {
      peer: {},
      chaincode: { externalBuilders: builders },
    });
    t.is(
      variables['CORE_CHAINCODE_EXTERNALBUILDERS'],
      isReplaced ? '[{"name":"none","path":"/copies/no-builder"}]' : undefined,
    );
  });
