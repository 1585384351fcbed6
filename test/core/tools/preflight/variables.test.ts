// Variables and values of nodes as their programs read them. The verdicts come from the real programs of 3.1.5 and 2.5.16.

import { join } from 'node:path';
import test from 'ava';
import { parseDocument } from 'yaml';
import type { CauseId } from '../../../../core/tools/preflight/cause.js';
import { preflight } from '../../../../core/tools/preflight/preflight.js';
import { makeNodeFiles } from '../../../helpers/node-files.js';

type Values = Readonly<Record<string, unknown>>;
/** The first cause for the programs of 3.1.5 and 2.5.16; undefined: none. One entry is for both. */
type Verdict = readonly [CauseId | undefined, (CauseId | undefined)?];
type Case = readonly [variables: Readonly<Record<string, string>>, change: Values, verdict: Verdict];

const NONE: Verdict = [undefined];
const BUILDERS = 'CORE_CHAINCODE_EXTERNALBUILDERS';
const NO_DOCKER = { 'vm.endpoint': null };
const OPERATIONS = { CORE_OPERATIONS_TLS_KEY_FILE: '/none' };
const OVERRIDES = 'CORE_PEER_DELIVERYCLIENT_ADDRESSOVERRIDES';
const LIST = 'CORE_OPERATIONS_TLS_CLIENTROOTCAS_FILES';
const INTERVAL = 'CORE_METRICS_STATSD_WRITEINTERVAL';
const STATSD = { CORE_METRICS_PROVIDER: 'statsd' };

const PEER: readonly Case[] = [
  [{}, {}, NONE],
  [{ CORE_PEER_LOCALMSPID: '' }, {}, ['msp-id-missing', undefined]],
  [{ CORE_PEER_LISTENADDRESS: '' }, {}, ['address-invalid', undefined]],
  [{ CORE_PEER_BCCSP_DEFAULT: '' }, {}, NONE],
  [{ ...STATSD, [INTERVAL]: '' }, {}, ['statsd-interval', undefined]],
  [{ core_peer_address: 'abc' }, {}, NONE],
  [{ [BUILDERS]: '' }, NO_DOCKER, ['no-chaincode-runtime']],
  [{ [BUILDERS]: '[]' }, NO_DOCKER, ['no-chaincode-runtime']],
  [{ [BUILDERS]: '{}' }, NO_DOCKER, ['no-chaincode-runtime']],
  [{ [BUILDERS]: 'null' }, NO_DOCKER, ['no-chaincode-runtime', 'builder-incomplete']],
  [{ [BUILDERS]: '[{"name":"a","path":"/"}]' }, NO_DOCKER, NONE],
  [{ [BUILDERS]: '{Name: 5, PATH: /}' }, NO_DOCKER, NONE],
  [{ [BUILDERS]: '- name: a\n  path: /' }, NO_DOCKER, NONE],
  [{ [BUILDERS]: '[{name: a, path: /}]\n---\n[{name: a}]' }, NO_DOCKER, NONE],
  [{ [BUILDERS]: '[{name: a, path: /}]\n...\n{{: [' }, NO_DOCKER, NONE],
  [{ [BUILDERS]: '[{name: a}]' }, {}, ['builder-incomplete']],
  [{ [BUILDERS]: 'abc' }, {}, ['wrong-value']],
  [{ [BUILDERS]: '[' }, {}, ['wrong-value']],
  [{ [BUILDERS]: '[{name: [x], path: /}]' }, {}, ['wrong-value']],
  [{ [BUILDERS]: ' ' }, {}, ['wrong-value', undefined]],
  [{}, { ...NO_DOCKER, 'chaincode.externalBuilders': '[{name: a, path: /}]' }, NONE],
  [{}, { 'chaincode.externalBuilders': ['x'] }, ['wrong-value']],
  [{ [OVERRIDES]: '[{from: a, to: b}]' }, {}, NONE],
  [{ [OVERRIDES]: '[{from: a, to: b}]\n---\nx' }, {}, NONE],
  [{ [OVERRIDES]: 'x' }, {}, ['wrong-value']],
  [{ CORE_PEER: 'x' }, {}, ['msp-path-missing']],
  [{ CORE_PEER: '' }, {}, ['msp-path-missing', undefined]],
  [{ CORE_VM: 'x' }, {}, ['no-chaincode-runtime']],
  [{ CORE_OPERATIONS_TLS_ENABLED: 'T', ...OPERATIONS }, {}, ['tls-file-missing']],
  [{ CORE_OPERATIONS_TLS_ENABLED: 'tRuE', ...OPERATIONS }, {}, NONE],
  [{ CORE_OPERATIONS_TLS_ENABLED: 'yes', ...OPERATIONS }, {}, NONE],
  [OPERATIONS, { 'operations.tls.enabled': 2 }, ['tls-file-missing']],
  [OPERATIONS, { 'operations.tls.enabled': 1.5 }, ['tls-file-missing', undefined]],
  [{ CORE_OPERATIONS_TLS_ENABLED: 'true', [LIST]: ' DIR/tls/ca.crt \t DIR/tls/ca.crt ' }, {}, NONE],
  [
    { CORE_OPERATIONS_TLS_ENABLED: 'true', [LIST]: 'DIR/tls/ca.crt,DIR/tls/ca.crt' },
    {},
    ['tls-file-missing'],
  ],
  [{ CORE_PEER_CHAINCODEADDRESS: '[::]:7052' }, {}, ['address-invalid']],
  [{ CORE_PEER_CHAINCODEADDRESS: 'abc' }, {}, ['address-invalid']],
  [{ CORE_PEER_CHAINCODEADDRESS: 'abc', CORE_CHAINCODE_MODE: 'dev' }, {}, NONE],
  [{ CORE_PEER_CHAINCODEADDRESS: ':7052' }, {}, NONE],
  [{ CORE_PEER_CHAINCODELISTENADDRESS: '127.0.0.1:abc' }, {}, ['address-invalid']],
  [{ CORE_PEER_ADDRESS: 'p0:99999' }, {}, ['address-invalid']],
  [{ CORE_PEER_ADDRESS: '[::1]:7051' }, {}, ['address-invalid']],
  [{ CORE_PEER_GOSSIP_ENDPOINT: 'abc' }, {}, ['address-invalid']],
  [{ ...STATSD, [INTERVAL]: '1ns' }, {}, ['statsd-interval']],
  [{ ...STATSD, [INTERVAL]: '2ns' }, {}, NONE],
  [{ ...STATSD, [INTERVAL]: '10' }, {}, NONE],
  [{ ...STATSD, [INTERVAL]: 'abc' }, {}, ['statsd-interval']],
  [{ ...STATSD, CORE_METRICS_STATSD_ADDRESS: 'localhost' }, {}, ['statsd-unreachable']],
  [{ ...STATSD, CORE_METRICS_STATSD_ADDRESS: '127.0.0.1:abc' }, {}, ['statsd-unreachable']],
  [
    { ...STATSD, CORE_METRICS_STATSD_NETWORK: 'unix', CORE_METRICS_STATSD_ADDRESS: '/none' },
    {},
    ['statsd-unreachable'],
  ],
  [{ CORE_METRICS_PROVIDER: 'STATSD', [INTERVAL]: '0s' }, {}, NONE],
  [{ CORE_PEER_LIMITS_CONCURRENCY_ENDORSERSERVICE: '-1' }, {}, ['limit-invalid']],
  [{ CORE_PEER_LIMITS_CONCURRENCY_ENDORSERSERVICE: 'abc' }, {}, NONE],
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
const CAS_FILE = 'ORDERER_OPERATIONS_TLS_CLIENTROOTCAS_FILE';
const NO_CAS = { 'Operations.TLS': { ClientRootCAs: null } };

const ORDERER: readonly Case[] = [
  [{ ...TLS, [ID_FILE]: 'DIR/env.json' }, ID, NONE],
  [{ ...TLS, [ID_FILE]: '/none' }, {}, NONE],
  [{ ...TLS, [CAS_FILE]: 'DIR/tls/ca.crt' }, NO_CAS, NONE],
  [TLS, {}, NONE],
  [SERVICE, { Operations: null }, NONE],
  [SERVICE, { 'Operations.ListenAddress': '127.0.0.1:0' }, NONE],
  [SERVICE, { 'Operations.TLS': {} }, ['tls-file-missing']],
  [{ ...TLS, ORDERER_GENERAL_CLUSTER_LISTENPORT: '7' }, {}, ['value-refused']],
  [{ ...TLS, [SIZE]: '4g' }, { ChannelParticipation: {} }, ['value-refused']],
  [{ ...TLS, [PORT]: '0b11100000000000' }, {}, NONE],
  [{ ...TLS, [SIZE]: '3g' }, { ChannelParticipation: {} }, NONE],
  [{ ...TLS, [SIZE]: '4g' }, {}, NONE],
  [{ ...TLS, [CAS]: '[ DIR/tls/ca.crt ]' }, {}, NONE],
  [{ ...TLS, [CAS]: '[]' }, {}, ['tls-file-missing']],
  [{ ...TLS, [CAS]: 'DIR/tls/ca.crt DIR/tls/ca.crt' }, {}, ['tls-file-missing']],
  [{ ...TLS, ORDERER_METRICS_PROVIDER: 'statsd' }, {}, NONE],
  [
    { ...TLS, ORDERER_METRICS_PROVIDER: 'statsd' },
    { Metrics: { Statsd: { Network: 'udp', Address: '127.0.0.1:8125' } } },
    ['statsd-interval'],
  ],
];

for (const [kind, file, cases] of [
  ['peer', 'core.yaml', PEER],
  ['orderer', 'orderer.yaml', ORDERER],
] as const)
  for (const [variables, change, [newest, older]] of cases.map(
    ([one, two, verdict]) => [one, two, verdict.length === 1 ? [verdict[0], verdict[0]] : verdict] as const,
  ))
    test(`${kind} with ${JSON.stringify(variables)} and ${JSON.stringify(change)}: 3.1.5 ${newest ?? 'no cause'}, 2.5.16 ${older ?? 'no cause'}`, async (t) => {
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

for (const version of ['3.1.5', '2.5.16'])
  test(`an orderer of ${version} reads its MSP id from the file that ${ID_FILE} names`, async (t) => {
    const cwd = await makeNodeFiles(t, 'orderer', 'orderer.yaml', (text) => changed(text, ID));
    const idsWith = async (file: string) => {
      const { causes } = await preflight({ file: '.', variables: { ...TLS, [ID_FILE]: file }, cwd, version });
      return causes.map(({ id }) => id);
    };
    t.false((await idsWith('env.json')).includes('msp-id-missing'));
    t.true((await idsWith('')).includes('msp-id-missing'));
  });

/** Sets values by their path. */
function changed(text: string, values: Values): string {
  const document = parseDocument(text);
  for (const [path, value] of Object.entries(values))
    document.setIn(path.split('.'), document.createNode(value));
  return document.toString();
}

for (const [variables, change, expected] of [
  [{ [BUILDERS]: 'null' }, NO_DOCKER, 'builder-incomplete'],
  [{ [OVERRIDES]: '[{from: a, to: b}]' }, {}, 'wrong-value'],
] as const)
  test(`peer of 3.0.0 with ${JSON.stringify(variables)} and ${JSON.stringify(change)}: ${expected}`, async (t) => {
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
