// Values that a program refuses. test/e2e/preflight-keys.test.ts compares them with the programs of Fabric.

import test from 'ava';
import { causesOf, type ChangedNode } from '../../../helpers/preflight-node.js';

interface Case extends Pick<ChangedNode, 'kind' | 'version' | 'values' | 'variables'> {
  readonly found: readonly (readonly [where: string, prints: string])[];
}

const of = (key: string, value: unknown, isRefused: boolean, version = '3.1.5'): Case => ({
  kind: 'orderer',
  version,
  values: { [key]: value },
  found: isRefused ? [[`orderer.yaml: ${key}`, `'${key}${key.endsWith('RootCAs') ? '' : "'"}`]] : [],
});
const OPTIONS =
  'General.Cluster.ListenPort, General.Cluster.ListenAddress, General.Cluster.ServerCertificate, General.Cluster.ServerPrivateKey, should be defined altogether';
const OWN = { ClientCertificate: 'tls/server.crt', ClientPrivateKey: 'tls/server.key' };
const handler = (name: string, library = '') => ({ 'peer.handlers': { authFilters: [{ name, library }] } });

const CASES: readonly Case[] = [
  ...['abc', '-1', '70000', '1.5', '1s', '[1]', [1], {}].map((value) =>
    of('General.ListenPort', value, true),
  ),
  ...['0x1b9e', '0o15636', '7_054'].map((value) => of('General.Cluster.SendBufferSize', value, false)),
  ...['', '+5', '-5', '9223372036854775807', 1.5, true].map((value) =>
    of('General.Cluster.SendBufferSize', value, false),
  ),
  ...['9223372036854775808', '08', '1 MB', 'x'].map((value) =>
    of('General.Cluster.SendBufferSize', value, true),
  ),
  ...['100 MB', '2147483648'].map((value) => of('General.MaxRecvMsgSize', value, true)),
  of('General.MaxRecvMsgSize', '104857600', false),
  ...['1 MB', '3gb', '5K', '4294967295', ''].map((value) =>
    of('ChannelParticipation.MaxRequestBodySize', value, false),
  ),
  ...['5 GB', '4294967296', '1 TB', '1.5 MB'].map((value) =>
    of('ChannelParticipation.MaxRequestBodySize', value, true),
  ),
  ...['15', '15 days', '', 'x', [], {}].map((value) => of('General.Keepalive.ServerInterval', value, true)),
  ...['15s', '-5s', '1h30m', '.5s', 15, '1_000'].map((value) =>
    of('General.Keepalive.ServerInterval', value, false),
  ),
  ...['abc', 'yes', '2', []].map((value) => of('General.Profile.Enabled', value, true)),
  ...['true', 'F', '', 5, false].map((value) => of('General.Profile.Enabled', value, false)),
  of('General.Profile.Enabled', 'yes', false, '2.5.16'),
  ...['many', '1s', '0x1'].map((value) => of('General.Backoff.Multiplier', value, true)),
  ...['1.6', '1e3', '.5', '', 2].map((value) => of('General.Backoff.Multiplier', value, false)),
  ...[['a'], [], {}, { a: 1 }, { File: '/none' }, '[a,b]'].map((value) =>
    of('General.LocalMSPID', value, true),
  ),
  ...['x', '', 5, true, { File: 'DIR/orderer.yaml' }, { file: 'DIR/orderer.yaml' }].map((value) =>
    of('General.LocalMSPID', value, false),
  ),
  ...[[['a']], [{ a: 1 }], { a: 1 }, { File: '/none' }].map((value) =>
    of('Operations.TLS.RootCAs', value, true),
  ),
  of('Operations.TLS.RootCAs', [{ a: 1 }], false, '2.5.16'),
  ...['a', '[a,b]', ['a', 1], [], {}, { File: null }].map((value) =>
    of('Operations.TLS.RootCAs', value, false),
  ),
  of('Kafka.Topic.ReplicationFactor', '40000', true, '2.5.16'),
  of('Kafka.Version', '0.10.2.0', false, '2.5.16'),
  { kind: 'orderer', values: { Metrics: 5 }, found: [['orderer.yaml: Metrics', "'Metrics' expected a map"]] },
  {
    kind: 'orderer',
    values: { Metrics: {} },
    variables: { ORDERER_METRICS: 'x' },
    found: [['variable ORDERER_METRICS', "'Metrics' expected a map"]],
  },
  {
    kind: 'orderer',
    variables: { ORDERER_GENERAL_LISTENPORT: 'x' },
    found: [['variable ORDERER_GENERAL_LISTENPORT', "'General.ListenPort'"]],
  },
  {
    kind: 'orderer',
    values: { 'General.BootstrapMethod': 'foo' },
    found: [['orderer.yaml: General.BootstrapMethod', 'Unknown bootstrap method: foo']],
  },
  {
    kind: 'orderer',
    values: { 'General.TLS.Enabled': false },
    found: [
      ['orderer.yaml: General.TLS.Enabled', 'TLS is required for running ordering nodes of cluster type.'],
    ],
  },
  // An orderer of 2.5 with a system channel of another type of consensus.
  {
    kind: 'orderer',
    version: '2.5.16',
    values: {
      'General.TLS.Enabled': false,
      'General.BootstrapMethod': 'file',
      'General.BootstrapFile': 'orderer.yaml',
    },
    found: [],
  },
  {
    kind: 'orderer',
    values: { 'General.Cluster': { ...OWN, ListenPort: 7 } },
    found: [['orderer.yaml: General.Cluster.ListenAddress', OPTIONS]],
  },
  { kind: 'orderer', values: { 'General.Cluster': { ...OWN, ListenPort: 0 } }, found: [] },
  {
    kind: 'orderer',
    values: { 'Admin.TLS': { Enabled: true, Certificate: 'tls/server.crt', PrivateKey: 'tls/server.key' } },
    found: [
      [
        'orderer.yaml: Admin.TLS.ClientAuthRequired',
        'Admin.TLS.ClientAuthRequired must be set to true if Admin.TLS.Enabled is set to true',
      ],
    ],
  },
  {
    kind: 'orderer',
    values: { 'General.BCCSP': { Default: 'FOO' } },
    found: [['orderer.yaml: General.BCCSP.Default', 'Could not find default `FOO` BCCSP']],
  },
  {
    kind: 'peer',
    values: { 'peer.BCCSP': { Default: 'SW', SW: { Hash: 'SHA1' } } },
    found: [['core.yaml: peer.BCCSP.SW.Hash', 'Hash Family not supported [SHA1]']],
  },
  {
    kind: 'peer',
    values: { 'peer.BCCSP': { Default: 'SW', SW: { Hash: 'SHA3', Security: 123 } } },
    found: [['core.yaml: peer.BCCSP.SW.Security', 'Security level not supported [123]']],
  },
  {
    kind: 'peer',
    values: { 'peer.BCCSP': { Default: 'SW', SW: { Hash: 'SHA3', Security: 384 } } },
    found: [],
  },
  {
    kind: 'peer',
    values: { 'peer.localMspType': 'foo' },
    found: [['core.yaml: peer.localMspType', "unknown MSP type 'foo'"]],
  },
  {
    kind: 'peer',
    values: { 'peer.tls.clientKey': { file: 'tls/server.key' } },
    found: [
      [
        'core.yaml: peer.tls.clientKey.file',
        'peer.tls.clientKey.file and peer.tls.clientCert.file must both be set or must both be empty',
      ],
    ],
  },
  {
    kind: 'peer',
    values: { 'peer.tls.clientKey': { file: 'tls/server.key' }, 'peer.tls.enabled': false },
    found: [],
  },
  { kind: 'peer', values: handler('DefaultAuth'), found: [] },
  { kind: 'peer', values: handler('Foo', '/lib.so'), found: [] },
  {
    kind: 'peer',
    values: handler('Foo'),
    found: [['core.yaml: peer.handlers.authFilters (0)', "Method Foo isn't a method of HandlerLibrary"]],
  },
  {
    kind: 'peer',
    values: { 'peer.handlers': { endorsers: { escc: { name: '' } } } },
    found: [['core.yaml: peer.handlers.endorsers (escc)', "Method  isn't a method of HandlerLibrary"]],
  },
  { kind: 'peer', values: handler('TimeWindowCheck'), found: [] },
  {
    kind: 'peer',
    version: '2.5.16',
    values: handler('TimeWindowCheck'),
    found: [
      ['core.yaml: peer.handlers.authFilters (0)', "Method TimeWindowCheck isn't a method of HandlerLibrary"],
    ],
  },
  {
    kind: 'peer',
    values: { metrics: { provider: 'statsd', statsd: { network: 'x', address: '127.0.0.1:8125' } } },
    found: [['core.yaml: metrics.statsd.network', 'unknown network x']],
  },
  {
    kind: 'peer',
    variables: { FABRIC_LOGGING_SPEC: 'foo=bar:baz' },
    found: [
      ['variable FABRIC_LOGGING_SPEC', "invalid logging specification 'foo=bar:baz': bad segment 'foo=bar'"],
    ],
  },
  {
    kind: 'orderer',
    variables: { FABRIC_LOGGING_FORMAT: '%{color:red}%{message}' },
    found: [['variable FABRIC_LOGGING_FORMAT', 'invalid color option: red']],
  },
  { kind: 'orderer', variables: { FABRIC_LOGGING_FORMAT: '%{color:bold}%{color}%{foo}' }, found: [] },
];

for (const { kind, version = '3.1.5', values = {}, variables = {}, found } of CASES)
  test(`${kind === 'peer' ? 'a peer' : 'an orderer'} of ${version} with ${JSON.stringify({ ...values, ...variables })}: ${found.map(([, prints]) => prints).join('; ') || 'no value is refused'}`, async (t) => {
    const causes = await causesOf(t, { kind, version, values, variables });
    t.deepEqual(
      causes.flatMap((each) => (each.id === 'value-refused' ? [[each.where, each.prints]] : [])),
      found.map((each) => [...each]),
    );
  });

test('a value that is refused is shown with the values that are allowed', async (t) => {
  const [cause] = await causesOf(t, { kind: 'orderer', values: { 'General.ListenPort': 'x' } });
  t.like(cause, {
    means: 'the program refuses this value: found "x"',
    todo: 'it must be a number from 0 to 65535',
  });
});
