// Variables of nodes from public reports: exit status and cause of each, as the real programs behave.

import { join } from 'node:path';
import test from 'ava';
import { runAgentCommand } from '../../../helpers/agent-command.js';
import { makeNodeFiles } from '../../../helpers/node-files.js';

const TLS_ON = { ORDERER_GENERAL_TLS_ENABLED: 'true' };
/** The folder of the files stands for DIR. */
const CASES: readonly (readonly [
  what: string,
  file: 'core.yaml' | 'core-without-docker.yaml' | 'orderer.yaml',
  variables: Readonly<Record<string, string>>,
  to: string | undefined,
  status: number,
  cause: string | undefined,
])[] = [
  [
    'a builder whose directory does not exist',
    'core.yaml',
    { CORE_CHAINCODE_EXTERNALBUILDERS: '[{name: ccaas, path: /nowhere/ccaas}]' },
    undefined,
    3,
    'builder-missing',
  ],
  [
    'a builder without a name',
    'core.yaml',
    { CORE_CHAINCODE_EXTERNALBUILDERS: '[{path: /opt/b}]' },
    undefined,
    1,
    'builder-incomplete',
  ],
  [
    'builders only in the variable',
    'core-without-docker.yaml',
    { CORE_CHAINCODE_EXTERNALBUILDERS: '[{name: ccaas_builder, path: /nowhere/ccaas_builder}]' },
    undefined,
    3,
    'builder-missing',
  ],
  [
    'all interfaces as address of chaincode',
    'core.yaml',
    { CORE_PEER_CHAINCODEADDRESS: '0.0.0.0:33302' },
    undefined,
    1,
    'address-invalid',
  ],
  [
    'brackets in a list of a peer',
    'core.yaml',
    { CORE_OPERATIONS_TLS_ENABLED: 'true', CORE_OPERATIONS_TLS_CLIENTROOTCAS_FILES: '[DIR/tls/ca.crt]' },
    undefined,
    1,
    'tls-file-missing',
  ],
  ['an empty address of a peer', 'core.yaml', { CORE_PEER_ADDRESS: '' }, '3.0', 1, 'address-invalid'],
  ['an empty address of a peer', 'core.yaml', { CORE_PEER_ADDRESS: '' }, '3.1', 1, 'address-invalid'],
  ['an empty address of a peer', 'core.yaml', { CORE_PEER_ADDRESS: '' }, '2.5', 0, undefined],
  ['an empty address of a peer', 'core.yaml', { CORE_PEER_ADDRESS: '' }, '2.5.16', 0, undefined],
  ['an empty endpoint of Docker', 'core.yaml', { CORE_VM_ENDPOINT: '' }, '3.0', 1, 'no-chaincode-runtime'],
  ['an empty endpoint of Docker', 'core.yaml', { CORE_VM_ENDPOINT: '' }, '2.5', 0, undefined],
  [
    'variables of a section that the file does not have',
    'orderer.yaml',
    { ...TLS_ON, ORDERER_ADMIN_TLS_ENABLED: 'true', ORDERER_ADMIN_LISTENADDRESS: '127.0.0.1:33312' },
    undefined,
    3,
    'variable-without-effect',
  ],
  [
    'an interval of 0 for StatsD',
    'core.yaml',
    { CORE_METRICS_PROVIDER: 'statsd', CORE_METRICS_STATSD_WRITEINTERVAL: '0s' },
    undefined,
    1,
    'statsd-interval',
  ],
  [
    'StatsD over TCP that does not run',
    'core.yaml',
    {
      CORE_METRICS_PROVIDER: 'statsd',
      CORE_METRICS_STATSD_NETWORK: 'tcp',
      CORE_METRICS_STATSD_ADDRESS: '127.0.0.1:1',
    },
    undefined,
    1,
    'statsd-unreachable',
  ],
];

for (const [what, file, variables, to, status, cause] of CASES)
  test(`preflight${to === undefined ? '' : ` --to ${to}`} exits with ${status} for ${what}: ${cause ?? 'no cause'}`, async (t) => {
    const kind = file === 'orderer.yaml' ? 'orderer' : 'peer';
    const cwd = await makeNodeFiles(t, kind, file);
    const environment = Object.fromEntries(
      Object.entries({ ...variables, CORE_LEDGER_SNAPSHOTS_ROOTDIR: join(cwd, 'snapshots') }).map(
        ([name, value]) => [name, value.replaceAll('DIR', cwd)],
      ),
    );
    const result = await runAgentCommand(
      ['preflight', '--node', '.', '--json', '--program', 'none', ...(to === undefined ? [] : ['--to', to])],
      { cwd, environment },
    );
    const { causes } = JSON.parse(result.stdout) as { causes: { id: string }[] };
    t.deepEqual([result.status, causes.map(({ id }) => id)], [status, cause === undefined ? [] : [cause]]);
  });

test("config check takes the output of docker inspect -f '{{json .Config.Env}}' as the variables of the node", async (t) => {
  const cwd = await makeNodeFiles(t, 'peer', 'core.yaml');
  const check = await runAgentCommand(['config', 'print', '--node', 'core.yaml', '--node-env', 'env.json'], {
    cwd,
  });
  t.is(check.status, 0, check.stderr);
  t.regex(check.stdout, /^node p9 \(peer\)/m);
  t.regex(check.stdout, /^ {4}address: "127\.0\.0\.1:33041" +# env\.json: CORE_OPERATIONS_LISTENADDRESS/m);
});

test('config check refuses an orderer whose operations endpoint is only in variables, of sections that its file does not have', async (t) => {
  const cwd = await makeNodeFiles(t, 'orderer', 'orderer.yaml');
  const environment = {
    ORDERER_OPERATIONS_LISTENADDRESS: '127.0.0.1:33313',
    ORDERER_METRICS_PROVIDER: 'prometheus',
  };
  t.deepEqual(await runAgentCommand(['config', 'check', '--node', 'orderer.yaml'], { cwd, environment }), {
    status: 2,
    stdout: '',
    stderr: `fabric-ops-agent: error: orderer.yaml: Operations.ListenAddress: is empty, so the operations endpoint of the node has no fixed port; set it there, or set node.address
fabric-ops-agent: error: environment ORDERER_OPERATIONS_LISTENADDRESS: no effect: orderer.yaml does not have Operations, and an orderer reads variables for it only if its file has it
`,
  });
});
