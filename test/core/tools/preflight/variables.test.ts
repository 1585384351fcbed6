// Variables and values of nodes as their programs read them. The verdicts come from the real programs of 3.1.5 and 2.5.16.

import { join } from 'node:path';
import test from 'ava';
import { parseDocument } from 'yaml';
import type { CauseId } from '../../../../core/tools/preflight/cause.js';
import { preflight } from '../../../../core/tools/preflight/preflight.js';
import { makeNodeFiles } from '../../../helpers/node-files.js';

type Values = Readonly<Record<string, unknown>>;
/** The startup errors of the programs of 3.1.5 and 2.5.16; undefined: it starts. One entry is for both. */
type Verdict = readonly [CauseId | undefined, (CauseId | undefined)?];
type Case = readonly [variables: Readonly<Record<string, string>>, change: Values, verdict: Verdict];

const STARTS: Verdict = [undefined];
const BUILDERS = 'CORE_CHAINCODE_EXTERNALBUILDERS';
const NO_DOCKER = { 'vm.endpoint': null };
const OPERATIONS = { CORE_OPERATIONS_TLS_KEY_FILE: '/none' };
const OVERRIDES = 'CORE_PEER_DELIVERYCLIENT_ADDRESSOVERRIDES';
const LIST = 'CORE_OPERATIONS_TLS_CLIENTROOTCAS_FILES';
const INTERVAL = 'CORE_METRICS_STATSD_WRITEINTERVAL';
const STATSD = { CORE_METRICS_PROVIDER: 'statsd' };

const PEER: readonly Case[] = [
  [{}, {}, STARTS],
  [{ CORE_PEER_LOCALMSPID: '' }, {}, ['msp-id-missing', undefined]],
  [{ CORE_PEER_LISTENADDRESS: '' }, {}, ['address-invalid', undefined]],
  [{ CORE_PEER_HANDLERS_AUTHFILTERS: '' }, {}, ['wrong-value', undefined]],
  [{ CORE_PEER_BCCSP_DEFAULT: '' }, {}, STARTS],
  [{ ...STATSD, [INTERVAL]: '' }, {}, ['statsd-interval', undefined]],
  [{ core_peer_address: 'abc' }, {}, STARTS],
  [{ [BUILDERS]: '' }, NO_DOCKER, ['no-chaincode-runtime']],
  [{ [BUILDERS]: '[]' }, NO_DOCKER, ['no-chaincode-runtime']],
  [{ [BUILDERS]: '{}' }, NO_DOCKER, ['no-chaincode-runtime']],
  [{ [BUILDERS]: 'null' }, NO_DOCKER, ['no-chaincode-runtime', 'builder-incomplete']],
  [{ [BUILDERS]: '[{"name":"a","path":"/"}]' }, NO_DOCKER, STARTS],
  [{ [BUILDERS]: '{Name: 5, PATH: /}' }, NO_DOCKER, STARTS],
  [{ [BUILDERS]: '- name: a\n  path: /' }, NO_DOCKER, STARTS],
  [{ [BUILDERS]: '[{name: a, path: /}]\n---\n[{name: a}]' }, NO_DOCKER, STARTS],
  [{ [BUILDERS]: '[{name: a, path: /}]\n...\n{{: [' }, NO_DOCKER, STARTS],
  [{ [BUILDERS]: '[{name: a}]' }, {}, ['builder-incomplete']],
  [{ [BUILDERS]: 'abc' }, {}, ['wrong-value']],
  [{ [BUILDERS]: '[' }, {}, ['wrong-value']],
  [{ [BUILDERS]: '[{name: [x], path: /}]' }, {}, ['wrong-value']],
  [{ [BUILDERS]: ' ' }, {}, ['wrong-value', undefined]],
  [{}, { ...NO_DOCKER, 'chaincode.externalBuilders': '[{name: a, path: /}]' }, STARTS],
  [{}, { 'chaincode.externalBuilders': ['x'] }, ['wrong-value']],
  [{ [OVERRIDES]: '[{from: a, to: b}]' }, {}, STARTS],
  [{ [OVERRIDES]: '[{from: a, to: b}]\n---\nx' }, {}, STARTS],
  [{ [OVERRIDES]: 'x' }, {}, ['wrong-value']],
  [{ CORE_PEER: 'x' }, {}, ['msp-path-missing']],
  [{ CORE_PEER: '' }, {}, ['msp-path-missing', undefined]],
  [{ CORE_VM: 'x' }, {}, ['no-chaincode-runtime']],
  [{ CORE_PEER_BCCSP: 'x' }, {}, ['crypto-invalid']],
  [{ CORE_PEER_BCCSP_SW_HASH: 'foo' }, {}, ['crypto-invalid']],
  [{ CORE_PEER_BCCSP_SW_HASH: 'foo' }, { 'peer.BCCSP': { Default: 'SW' } }, STARTS],
  [{ CORE_PEER_BCCSP_SW_SECURITY: 'abc' }, {}, ['crypto-invalid']],
  [{}, { 'peer.BCCSP': null }, ['crypto-invalid']],
  [{ CORE_OPERATIONS_TLS_ENABLED: 'T', ...OPERATIONS }, {}, ['tls-file-missing']],
  [{ CORE_OPERATIONS_TLS_ENABLED: 'tRuE', ...OPERATIONS }, {}, STARTS],
  [{ CORE_OPERATIONS_TLS_ENABLED: 'yes', ...OPERATIONS }, {}, STARTS],
  [OPERATIONS, { 'operations.tls.enabled': 2 }, ['tls-file-missing']],
  [OPERATIONS, { 'operations.tls.enabled': 1.5 }, ['tls-file-missing', undefined]],
  [{ CORE_OPERATIONS_TLS_ENABLED: 'true', [LIST]: ' DIR/tls/ca.crt \t DIR/tls/ca.crt ' }, {}, STARTS],
  [
    { CORE_OPERATIONS_TLS_ENABLED: 'true', [LIST]: 'DIR/tls/ca.crt,DIR/tls/ca.crt' },
    {},
    ['tls-file-missing'],
  ],
  [{ CORE_PEER_CHAINCODEADDRESS: '[::]:7052' }, {}, ['address-invalid']],
  [{ CORE_PEER_CHAINCODEADDRESS: 'abc' }, {}, ['address-invalid']],
  [{ CORE_PEER_CHAINCODEADDRESS: 'abc', CORE_CHAINCODE_MODE: 'dev' }, {}, STARTS],
  [{ CORE_PEER_CHAINCODEADDRESS: ':7052' }, {}, STARTS],
  [{ CORE_PEER_CHAINCODELISTENADDRESS: '127.0.0.1:abc' }, {}, ['address-invalid']],
  [{ CORE_PEER_ADDRESS: 'p0:99999' }, {}, ['address-invalid']],
  [{ CORE_PEER_ADDRESS: '[::1]:7051' }, {}, ['address-invalid']],
  [{ CORE_PEER_GOSSIP_ENDPOINT: 'abc' }, {}, ['address-invalid']],
  [{ ...STATSD, [INTERVAL]: '1ns' }, {}, ['statsd-interval']],
  [{ ...STATSD, [INTERVAL]: '2ns' }, {}, STARTS],
  [{ ...STATSD, [INTERVAL]: '10' }, {}, STARTS],
  [{ ...STATSD, [INTERVAL]: 'abc' }, {}, ['statsd-interval']],
  [STATSD, { 'metrics.statsd': {} }, ['statsd-network-unknown']],
  [{ ...STATSD, CORE_METRICS_STATSD_ADDRESS: 'localhost' }, {}, ['statsd-unreachable']],
  [{ ...STATSD, CORE_METRICS_STATSD_ADDRESS: '127.0.0.1:abc' }, {}, ['statsd-unreachable']],
  [
    { ...STATSD, CORE_METRICS_STATSD_NETWORK: 'unix', CORE_METRICS_STATSD_ADDRESS: '/none' },
    {},
    ['statsd-unreachable'],
  ],
  [{ CORE_METRICS_PROVIDER: 'STATSD', [INTERVAL]: '0s' }, {}, STARTS],
  [{ CORE_PEER_LIMITS_CONCURRENCY_ENDORSERSERVICE: '-1' }, {}, ['limit-invalid']],
  [{ CORE_PEER_LIMITS_CONCURRENCY_ENDORSERSERVICE: 'abc' }, {}, STARTS],
  [{ FABRIC_LOGGING_FORMAT: '%{color:foo}' }, {}, ['log-spec-invalid']],
  [{ CORE_PEER_HANDLERS_ENDORSERS_ESCC_NAME: 'foo' }, {}, ['handler-unknown']],
  [{ CORE_VM_ENDPOINT: 'localhost:2375' }, {}, ['vm-endpoint-invalid', 'vm-endpoint-invalid']],
  [{ CORE_VM_ENDPOINT: 'tcp://x:abc' }, {}, ['vm-endpoint-invalid']],
  [{ CORE_VM_ENDPOINT: 'ssh://x' }, {}, STARTS],
];

const TLS = { ORDERER_GENERAL_TLS_ENABLED: 'true' };
const SERVICE = {
  ...TLS,
  ORDERER_OPERATIONS_TLS_ENABLED: 'true',
  ORDERER_OPERATIONS_TLS_PRIVATEKEY: '/none',
};
const PORT = 'ORDERER_GENERAL_LISTENPORT';
const SIZE = 'ORDERER_CHANNELPARTICIPATION_MAXREQUESTBODYSIZE';
const CAS = 'ORDERER_GENERAL_TLS_ROOTCAS';

const ID = { 'General.LocalMSPID': null };
const ID_FILE = 'ORDERER_GENERAL_LOCALMSPID_FILE';
const PORT_FILE = 'ORDERER_GENERAL_CLUSTER_LISTENPORT_FILE';
const CAS_FILE = 'ORDERER_OPERATIONS_TLS_CLIENTROOTCAS_FILE';
const NO_CAS = { 'Operations.TLS': { ClientRootCAs: null } };

const ORDERER: readonly Case[] = [
  [{ ...TLS, [ID_FILE]: 'DIR/env.json' }, ID, STARTS],
  [{ ...TLS, [ID_FILE]: '/none' }, ID, ['wrong-value']],
  [{ ...TLS, [ID_FILE]: '/none' }, {}, STARTS],
  [{ ...TLS, [PORT_FILE]: 'DIR/env.json' }, { 'General.Cluster': { ListenPort: null } }, ['wrong-value']],
  [{ ...TLS, [CAS_FILE]: 'DIR/tls/ca.crt' }, NO_CAS, STARTS],
  [{ ...TLS, [CAS_FILE]: '/none' }, NO_CAS, ['wrong-value']],
  [TLS, {}, STARTS],
  [TLS, { 'General.TLS': null }, ['cluster-without-tls']],
  [SERVICE, { Operations: null }, STARTS],
  [SERVICE, { 'Operations.ListenAddress': '127.0.0.1:0' }, STARTS],
  [SERVICE, { 'Operations.TLS': {} }, ['tls-file-missing']],
  [{ ...TLS, ORDERER_ADMIN_TLS_ENABLED: 'true' }, { 'Admin.TLS': {} }, ['admin-without-client-auth']],
  [{ ...TLS, ORDERER_GENERAL_CLUSTER_LISTENPORT: '7' }, {}, STARTS],
  [
    { ...TLS, ORDERER_GENERAL_CLUSTER_LISTENPORT: '7' },
    { 'General.Cluster': {} },
    ['cluster-listener-incomplete'],
  ],
  [{ ...TLS, [PORT]: 'abc' }, { 'General.ListenPort': null }, ['wrong-value']],
  [{ ...TLS, [PORT]: '-1' }, {}, ['wrong-value']],
  [{ ...TLS, [PORT]: '70000' }, {}, ['wrong-value']],
  [{ ...TLS, [PORT]: '1k' }, {}, ['wrong-value']],
  [{ ...TLS, [PORT]: '0b11100000000000' }, {}, STARTS],
  [{ ...TLS, ORDERER_GENERAL_MAXRECVMSGSIZE: '10m' }, {}, ['wrong-value']],
  [{ ...TLS, [SIZE]: '3g' }, { ChannelParticipation: {} }, STARTS],
  [{ ...TLS, [SIZE]: '4g' }, { ChannelParticipation: {} }, ['wrong-value']],
  [{ ...TLS, [SIZE]: '4g' }, {}, STARTS],
  [{ ...TLS, ORDERER_GENERAL_CONNECTIONTIMEOUT: '10' }, {}, ['wrong-value']],
  [{ ...TLS, ORDERER_GENERAL_TLS_CLIENTAUTHREQUIRED: 'yes' }, {}, ['wrong-value']],
  [{ ...TLS, [CAS]: '[ DIR/tls/ca.crt ]' }, {}, STARTS],
  [{ ...TLS, [CAS]: '[]' }, {}, ['tls-file-missing']],
  [{ ...TLS, [CAS]: 'DIR/tls/ca.crt DIR/tls/ca.crt' }, {}, ['tls-file-missing']],
  [{ ...TLS, ORDERER_GENERAL_LISTENADDRESS: '[::1]' }, {}, ['wrong-value']],
  [{ ...TLS, ORDERER_GENERAL: 'x' }, {}, ['wrong-value']],
  [{ ...TLS, ORDERER_ADMIN: 'x' }, {}, ['wrong-value']],
  [{ ...TLS, ORDERER_GENERAL_BCCSP: 'x' }, {}, ['crypto-invalid']],
  [{ ...TLS, ORDERER_GENERAL_BCCSP_DEFAULT: 'FOO' }, {}, STARTS],
  [
    { ...TLS, ORDERER_GENERAL_BCCSP_DEFAULT: 'FOO' },
    { 'General.BCCSP': { Default: null } },
    ['crypto-provider-unknown'],
  ],
  [{ ...TLS, ORDERER_KAFKA: 'x' }, {}, [undefined, 'wrong-value']],
  [{ ...TLS, ORDERER_FOO: 'x' }, {}, STARTS],
  [{ ...TLS, ORDERER_FOO: 'x' }, { Foo: null }, ['unknown-key']],
  [{ ...TLS, ORDERER_METRICS_PROVIDER: 'statsd' }, {}, STARTS],
  [
    { ...TLS, ORDERER_METRICS_PROVIDER: 'statsd' },
    { Metrics: { Statsd: { Network: 'udp', Address: '127.0.0.1:8125' } } },
    ['statsd-interval'],
  ],
  [TLS, { 'General.ListenPort': '1k' }, ['wrong-value']],
  [TLS, { 'General.Authentication': { NoExpirationChecks: 'yes' } }, ['wrong-value', undefined]],
];

for (const [kind, file, cases] of [
  ['peer', 'core.yaml', PEER],
  ['orderer', 'orderer.yaml', ORDERER],
] as const)
  for (const [variables, change, [newest, older]] of cases.map(
    ([one, two, verdict]) => [one, two, verdict.length === 1 ? [verdict[0], verdict[0]] : verdict] as const,
  ))
    test(`${kind} with ${JSON.stringify(variables)} and ${JSON.stringify(change)}: 3.1.5 ${newest ?? 'starts'}, 2.5.16 ${older ?? 'starts'}`, async (t) => {
      const cwd = await makeNodeFiles(t, kind, file, (text) => changed(text, change));
      const own = kind === 'peer' ? { CORE_LEDGER_SNAPSHOTS_ROOTDIR: join(cwd, 'snapshots') } : {};
      for (const [version, expected] of [
        ['3.1.5', newest],
        ['2.5.16', older],
      ] as const) {
        const { causes } = await preflight({
          file: '.',
          variables: Object.fromEntries(
            Object.entries({ ...own, ...variables }).map(([name, value]) => [
              name,
              value.replaceAll('DIR', cwd),
            ]),
          ),
          cwd,
          version,
        });
        t.is(causes.find(({ severity }) => severity === 'cause')?.id, expected, version);
      }
    });

for (const [version, says] of [
  ['3.1.5', "'General.LocalMSPID' open /none: no such file or directory"],
  ['2.5.16', "error decoding 'General.LocalMSPID': open /none: no such file or directory"],
] as const)
  test(`an orderer of ${version} reads its MSP id from the file that ${ID_FILE} names, and stops without this file`, async (t) => {
    const cwd = await makeNodeFiles(t, 'orderer', 'orderer.yaml', (text) => changed(text, ID));
    const causesWith = async (file: string) =>
      (await preflight({ file: '.', variables: { ...TLS, [ID_FILE]: file }, cwd, version })).causes;
    const ids = async (file: string) => (await causesWith(file)).map(({ id }) => id);
    t.false((await ids('env.json')).includes('msp-id-missing'));
    t.true((await ids('')).includes('msp-id-missing'));
    const [cause] = await causesWith('/none');
    t.like(cause, { id: 'wrong-value', says, where: `variable ${ID_FILE}` });
  });

/** Sets values by their path. */
function changed(text: string, values: Values): string {
  const document = parseDocument(text);
  for (const [path, value] of Object.entries(values))
    document.setIn(path.split('.'), document.createNode(value));
  return document.toString();
}

for (const [variables, change, expected] of [
  [{ CORE_PEER_BCCSP_SW_HASH: 'foo' }, {}, undefined],
  [{ [BUILDERS]: 'null' }, NO_DOCKER, 'builder-incomplete'],
  [{ [OVERRIDES]: '[{from: a, to: b}]' }, {}, 'wrong-value'],
  [{ CORE_VM_ENDPOINT: 'ssh://x' }, {}, 'vm-endpoint-invalid'],
  [{ CORE_VM_ENDPOINT: 'localhost:2375' }, {}, undefined],
] as const)
  test(`peer of 3.0.0 with ${JSON.stringify(variables)} and ${JSON.stringify(change)}: ${expected ?? 'starts'}`, async (t) => {
    const cwd = await makeNodeFiles(t, 'peer', 'core.yaml', (text) => changed(text, change));
    const own = { CORE_LEDGER_SNAPSHOTS_ROOTDIR: join(cwd, 'snapshots') };
    const { causes } = await preflight({
      file: '.',
      variables: { ...own, ...variables },
      cwd,
      version: '3.0.0',
    });
    t.is(causes.find(({ severity }) => severity === 'cause')?.id, expected);
  });
