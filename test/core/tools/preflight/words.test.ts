// The words of causes that differ by node or by fault: an operator acts on them. The tests of the rules compare all others.

import test from 'ava';
import { causeOf, type Cause, type Finding } from '../../../../core/tools/preflight/cause.js';

const FOLDER = { path: '/msp/signcerts', isIdemix: false };
const PAIR = { part: 'the service', certificate: '/c', key: '/k', message: 'm' };

/** By finding: some of its words. */
const CASES: readonly (readonly [
  finding: Pick<Finding, 'id'> & { readonly data?: object },
  Partial<Cause>,
])[] = [
  [
    { id: 'file-unreadable', data: { kind: 'peer', problem: 'p' } },
    { severity: 'cause', prints: 'error when reading core config file', means: 'p' },
  ],
  [
    { id: 'file-unreadable', data: { kind: 'orderer', problem: 'p' } },
    { prints: 'failed to parse config:  Error reading configuration' },
  ],
  [
    { id: 'wrong-value', data: { list: 'builders', problem: "'[0]' expected a map" } },
    {
      prints: "'[0]' expected a map",
      means: 'chaincode.externalBuilders is not a list of builders in YAML or JSON',
      todo: 'write it as [{name: NAME, path: DIRECTORY}]',
    },
  ],
  [
    { id: 'wrong-value', data: { list: 'overrides', isUnreadVariable: true } },
    {
      prints: 'could not unmarshal peer.deliveryclient.addressOverrides: ',
      means: 'peer.deliveryclient.addressOverrides is not a list of mappings',
      todo: 'write the list into the file: this version cannot read it from a variable',
    },
  ],
  [
    { id: 'wrong-value', data: { list: 'overrides', isUnreadVariable: false } },
    { todo: 'write it as [{from: HOST:PORT, to: HOST:PORT, caCertsFile: FILE}]' },
  ],
  [
    { id: 'msp-id-missing', data: { kind: 'peer' } },
    { severity: 'cause', prints: 'the local MSP must have an ID', todo: 'set peer.localMspId' },
  ],
  [
    { id: 'msp-id-missing', data: { kind: 'orderer' } },
    {
      severity: 'warning',
      prints: '',
      means: 'without an MSP id the orderer uses SampleOrg, and no other orderer accepts it',
      todo: 'set General.LocalMSPID',
    },
  ],
  [
    { id: 'msp-path-missing', data: { directory: '' } },
    { means: 'the peer has no directory with its identity' },
  ],
  [
    { id: 'msp-path-missing', data: { directory: '/msp' } },
    { means: 'the peer has no directory with its identity: there is no /msp' },
  ],
  [
    { id: 'signcerts-missing', data: { ...FOLDER, problem: undefined, namesFolders: true } },
    {
      prints: 'no signing certificate found in directory',
      means: 'signcerts has no certificate in PEM',
      todo: 'put the signing certificate of the node there, in PEM',
    },
  ],
  [
    { id: 'signcerts-missing', data: { ...FOLDER, problem: undefined, namesFolders: false } },
    { prints: 'Setup error: nil conf reference' },
  ],
  [
    { id: 'signcerts-missing', data: { ...FOLDER, problem: 'p', namesFolders: true } },
    {
      prints: 'could not load signing certificate from directory /msp/signcerts: p',
      means: 'the directory signcerts of the MSP cannot be read',
      todo: 'put the signing certificate of the node there, in PEM',
    },
  ],
  [
    { id: 'signcerts-missing', data: { ...FOLDER, problem: 'p', namesFolders: false } },
    { prints: 'could not load a valid signer certificate from directory /msp/signcerts: p' },
  ],
  [
    { id: 'signcerts-missing', data: { ...FOLDER, problem: 'p', namesFolders: false, isIdemix: true } },
    {
      means: 'the directory has an MSP of the type idemix, which is for clients',
      todo: 'name an MSP directory with X.509 certificates',
    },
  ],
  [
    { id: 'cacerts-missing', data: { ...FOLDER, problem: undefined, namesFolders: true } },
    { prints: 'no ca certificate found in directory', means: 'cacerts has no certificate in PEM' },
  ],
  [
    { id: 'msp-invalid', data: { fault: 'f' } },
    { prints: 'f', means: 'a certificate of the MSP directory cannot be used as Fabric requires' },
  ],
  [
    { id: 'msp-invalid', data: { unit: 'no file cacerts/none.pem' } },
    {
      prints: 'failed loading OrganizationalUnit certificate at [',
      means: 'no file cacerts/none.pem',
    },
  ],
  [
    { id: 'signcert-role', data: { kind: 'peer', problem: 'p', printed: 's' } },
    {
      severity: 'cause',
      prints: 's',
      means: 'the identity of the node is not valid in its organisation: p',
    },
  ],
  [
    { id: 'signcert-role', data: { kind: 'orderer', problem: 'p', printed: 's' } },
    { severity: 'warning', prints: '' },
  ],
  [
    { id: 'statsd-unreachable', data: { address: '', problem: 'p' } },
    { means: 'the node must connect to StatsD before it starts, but cannot: no address is set' },
  ],
  [
    { id: 'statsd-unreachable', data: { address: 'a:1', problem: 'p' } },
    { means: 'the node must connect to StatsD before it starts, but cannot: a:1' },
  ],
  [
    { id: 'statsd-interval', data: { value: undefined } },
    { means: 'metrics cannot be sent at the interval of 0: none is set' },
  ],
  [{ id: 'statsd-interval', data: { value: 'x' } }, { means: 'metrics cannot be sent at the interval "x"' }],
  [
    { id: 'snapshots-invalid', data: { path: 'a', problem: undefined } },
    { means: 'the directory of the snapshots has a relative path', todo: 'write the absolute path' },
  ],
  [
    { id: 'snapshots-invalid', data: { path: '/a', problem: 'unlinkat /a/temp: not a directory' } },
    {
      prints: 'unlinkat /a/temp: not a directory',
      means: 'the peer cannot use the directory of the snapshots /a',
    },
  ],
  [
    { id: 'builder-incomplete', data: { path: '' } },
    {
      prints: 'invalid external builder configuration, path attribute missing in one or more builders',
      means: 'an external builder has no path',
    },
  ],
  [
    { id: 'builder-incomplete', data: { path: '/b' } },
    { prints: 'external builder at path /b has no name attribute', means: 'an external builder has no name' },
  ],
  [
    { id: 'tls-file-missing', data: { part: 'the service', what: 'CA', path: '', message: 'm' } },
    { prints: 'm', means: 'the CA of the service cannot be read: no file is named' },
  ],
  [
    { id: 'tls-file-missing', data: { part: 'the service', what: 'CA', path: '/ca', message: 'm' } },
    { means: 'the CA of the service cannot be read: /ca' },
  ],
  [
    { id: 'tls-file-missing', data: { part: 'engine', path: '/ca' } },
    {
      prints: 'cannot create docker client: failed to create tls config: ',
      means: 'a file for the TLS connection to Docker does not exist: /ca',
    },
  ],
  [
    { id: 'tls-file-missing', data: { part: 'engine', path: '' } },
    { means: 'a file for the TLS connection to Docker does not exist: no file is named' },
  ],
  [
    { id: 'tls-file-invalid', data: PAIR },
    { prints: 'm', means: 'the certificate /c or the private key /k of the service is not valid PEM' },
  ],
  [
    { id: 'tls-pair-mismatch', data: PAIR },
    { means: 'the private key /k does not belong to the certificate /c of the service' },
  ],
  [
    { id: 'address-invalid', data: { of: 'peer', message: 'm' } },
    { prints: 'm', means: 'the peer does not know its own address' },
  ],
  [
    { id: 'address-invalid', data: { of: 'chaincode', value: 'a', problem: 'p' } },
    { prints: 'Failed to create chaincode server: p', means: 'chaincode cannot connect to a' },
  ],
  [
    { id: 'address-invalid', data: { of: 'listener', name: 'the service', value: '', message: 'm' } },
    { prints: 'm', means: 'the address of the service is not host:port: it is empty' },
  ],
  [
    { id: 'address-invalid', data: { of: 'listener', name: 'the service', value: 'a', message: 'm' } },
    { means: 'the address of the service is not host:port: a' },
  ],
  [
    { id: 'address-unusable', data: { name: 'the service', value: 'a:1', message: 'm', problem: undefined } },
    { prints: 'm', means: 'the service cannot listen on a:1: the host name is unknown' },
  ],
  [
    { id: 'address-unusable', data: { name: 'the service', value: 'a:1', message: 'm', problem: 'p' } },
    { means: 'the service cannot listen on a:1: p' },
  ],
  [
    { id: 'ledger-locked', data: { kind: 'peer', root: '/d', lock: '/d/l', holder: 0 } },
    {
      prints: 'lock is already acquired on file /d/l',
      means:
        'a process that is not visible here uses the ledger folder /d, but does not listen on the addresses of this node',
    },
  ],
  [
    { id: 'ledger-locked', data: { kind: 'orderer', root: '/d', lock: '/d/l', holder: 7 } },
    {
      prints: 'Error opening leveldb: resource temporarily unavailable',
      means: 'the process 7 uses the ledger folder /d, but does not listen on the addresses of this node',
    },
  ],
  [
    { id: 'data-format', data: { directory: '/d', format: '', expected: '2.0' } },
    {
      prints: 'The db at path [/d] contains data in unexpected format. expected data format = [2.0]',
      means: 'the databases of the peer have the format of Fabric 1.x',
      todo: 'copy the ledger folder, then run `peer node upgrade-dbs` with the new version before its first start',
    },
  ],
  [
    { id: 'data-format', data: { directory: '/d', format: '3.0', expected: '2.0' } },
    {
      means: 'the databases of the peer have the format 3.0',
      todo: 'start the peer with the version that wrote the data',
    },
  ],
  [
    { id: 'block-file-cut', data: { channel: 'ch1', file: '/f', size: undefined, committed: 9 } },
    {
      prints: 'Could not retrieve header of the last block form file',
      means: 'the block file /f of the channel ch1 is missing',
    },
  ],
  [
    { id: 'block-file-tail', data: { kind: 'peer', channel: 'ch1', committed: 9 } },
    { severity: 'warning', prints: 'Failed to load ledger ch1' },
  ],
  [
    { id: 'block-file-tail', data: { kind: 'orderer', channel: 'ch1', committed: 9 } },
    { severity: 'cause', prints: "Failed getting channel ch1's ledger: error decoding" },
  ],
  [
    { id: 'wal-unusable', data: { channel: 'ch1', file: '/w', problem: 'p' } },
    {
      prints: 'ofdTryLockFile failed to open "/w" (open /w: p)',
      means: 'the orderer cannot use the write-ahead log of the channel ch1: p',
    },
  ],
  [
    { id: 'wal-unusable', data: { directory: '/w', problem: 'p', prints: 's' } },
    { prints: 's', means: 'the orderer cannot use /w: p' },
  ],
  [
    { id: 'wal-locked', data: { channel: 'ch1', file: '/w', holder: 7 } },
    { means: 'the process 7 has locked the write-ahead log /w of the channel ch1' },
  ],
  [
    { id: 'channel-msp', data: { kind: 'peer', channel: 'ch1', path: 'P', message: 'm' } },
    {
      severity: 'warning',
      prints: 'm',
      means:
        'this version does not accept a certificate of P in the channel ch1: after an upgrade it no longer counts: the peer starts without it',
    },
  ],
  [
    { id: 'channel-signer-expired', data: { kind: 'peer', channel: 'ch1', path: 'P' } },
    {
      severity: 'warning',
      means:
        'the MSP of P in the channel ch1 has a signing identity, which has expired: the peer starts without it',
    },
  ],
  [
    { id: 'channel-too-new', data: { kind: 'orderer', channel: 'ch1', capabilities: ['V2_0', 'V3_0'] } },
    { severity: 'cause', means: 'the channel ch1 has capabilities of a newer version (V2_0, V3_0)' },
  ],
  [
    { id: 'ledger-unset', data: { root: undefined } },
    {
      means: 'no ledger folder is named: the peer writes its ledger into the directory that it is started in',
      todo: 'set peer.fileSystemPath',
    },
  ],
  [{ id: 'ledger-unset', data: { root: '/d' } }, { todo: 'set FileLedger.Location' }],
  [
    { id: 'consenter-unknown', data: { use: 'TLS', path: '/c', channels: ['a', 'b'], isWhole: false } },
    {
      means:
        'the TLS certificate /c belongs to no consenter of a, b: the orderer starts, but only receives blocks as a follower',
      todo: 'put the certificate of the consenter back, or one with the same key, or change the channel first: configtxlator consenter rotate BLOCK HOST:PORT --tls-cert FILE',
    },
  ],
  [
    { id: 'consenter-unknown', data: { use: 'signing', path: '/c', channels: ['a'], isWhole: true } },
    {
      todo: 'put the certificate of the consenter back, or change the channel first: configtxlator consenter rotate BLOCK HOST:PORT --identity FILE',
    },
  ],
];

for (const [{ id, data }, words] of CASES)
  test(`the words of ${id} with ${JSON.stringify(data, (_key, value: unknown) => value ?? null)}: ${JSON.stringify(words)}`, (t) => {
    t.like(causeOf({ id, where: 'here', data } as Finding), { id, where: 'here', ...words });
  });
