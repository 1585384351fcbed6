import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { loadSettings, SettingsError, type LoadedSettings } from '../../../config/index.js';
import { nodeCertificateProblems } from '../../../core/cli/start-checks.js';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { declaredBy } from '../../helpers/declared.js';
import { temporaryFolder } from '../../helpers/folder.js';

const { ca, foreignCa, server, clients, directory } = makeCertificates();
const both = ca.issue('both', undefined);
const named = ca.issue(
  'named',
  undefined,
  undefined,
  'DNS:*.org1.example.com,DNS:peer0.org1.example.com,DNS:peer0',
);
const addressOnly = ca.issue('address', undefined, undefined, 'IP:10.0.0.7');
const other = foreignCa.issue('server', undefined);
const trusted = clients.trusted ?? both;
const expired = clients.expired ?? both;

/** The variables of a peer with TLS at its operations endpoint. */
const OPERATIONS = {
  CORE_OPERATIONS_LISTENADDRESS: '127.0.0.1:9443',
  CORE_OPERATIONS_TLS_ENABLED: 'true',
  CORE_OPERATIONS_TLS_CERT_FILE: both.cert,
  CORE_OPERATIONS_TLS_KEY_FILE: both.key,
  CORE_OPERATIONS_TLS_CLIENTROOTCAS_FILES: ca.cert,
  CORE_METRICS_PROVIDER: 'prometheus',
};

/** Loads the settings with a monitored peer that has an almost empty file. */
function monitoring(
  environment: Readonly<Record<string, string>>,
  flags: readonly string[] = ['node.insecureRelay=true'],
): LoadedSettings {
  writeFileSync(join(directory, 'core.yaml'), 'peer: {id: peer0}\n');
  return loadSettings({
    files: [],
    nodes: ['core.yaml'],
    flags,
    environment: { ...OPERATIONS, ...environment },
    cwd: directory,
  });
}

interface Chosen {
  readonly ca: string;
  readonly certificate: string;
  readonly cert: string;
  readonly key: string;
  readonly serverName: string;
}

const CASES: readonly {
  readonly title: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
  readonly chosen: Partial<Chosen>;
  readonly problems?: readonly string[];
}[] = [
  {
    title: 'the TLS CA of the node is used when it issued the certificate',
    environment: { CORE_PEER_TLS_ROOTCERT_FILE: ca.cert },
    chosen: { ca: ca.cert, certificate: '', cert: both.cert, key: both.key, serverName: '' },
  },
  {
    title: 'without a TLS CA exactly the certificate is trusted',
    environment: {},
    chosen: { ca: '', certificate: both.cert },
  },
  {
    title: 'when the TLS CA did not issue the certificate, exactly the certificate is trusted',
    environment: { CORE_PEER_TLS_ROOTCERT_FILE: foreignCa.cert },
    chosen: { ca: '', certificate: both.cert },
  },
  {
    title: 'when the certificate cannot be read, the TLS CA is used',
    environment: { CORE_PEER_TLS_ROOTCERT_FILE: ca.cert, CORE_OPERATIONS_TLS_CERT_FILE: '/missing.pem' },
    chosen: { ca: ca.cert, certificate: '', cert: '/missing.pem' },
    problems: ['node peer0: client certificate /missing.pem cannot be read: no such file'],
  },
  {
    title: 'node.ca is used even if it did not issue the certificate, which is reported',
    environment: {},
    flags: ['node.insecureRelay=true', `node.ca=${foreignCa.cert}`],
    chosen: { ca: foreignCa.cert, certificate: '' },
    problems: [
      `node peer0: server certificate ${both.cert} was not issued by the CA ${foreignCa.cert} (flag --set node.ca: node.ca); set another ca`,
    ],
  },
  {
    title:
      'a certificate that may only be used by servers is not the client certificate when there is another',
    environment: {
      CORE_OPERATIONS_TLS_CERT_FILE: server.cert,
      CORE_OPERATIONS_TLS_KEY_FILE: server.key,
      CORE_PEER_TLS_CERT_FILE: other.cert,
      CORE_PEER_TLS_KEY_FILE: other.key,
      CORE_PEER_TLS_CLIENTCERT_FILE: trusted.cert,
      CORE_PEER_TLS_CLIENTKEY_FILE: trusted.key,
    },
    chosen: { cert: trusted.cert, key: trusted.key },
  },
  {
    title: 'the TLS certificate of the node is used when its client CAs issued only that',
    environment: {
      CORE_OPERATIONS_TLS_CLIENTROOTCAS_FILES: foreignCa.cert,
      CORE_PEER_TLS_CERT_FILE: other.cert,
      CORE_PEER_TLS_KEY_FILE: other.key,
    },
    chosen: { cert: other.cert, key: other.key },
  },
  {
    title: 'a client certificate without the usage is reported when there is no other',
    environment: { CORE_OPERATIONS_TLS_CERT_FILE: server.cert, CORE_OPERATIONS_TLS_KEY_FILE: server.key },
    chosen: { cert: server.cert },
    problems: [
      `node peer0: the node refuses the client certificate ${server.cert} (environment CORE_OPERATIONS_TLS_CERT_FILE: operations.tls.cert.file): its extended key usage does not include client authentication; set cert and key`,
    ],
  },
  {
    title: 'a client certificate of another CA is reported',
    environment: { CORE_OPERATIONS_TLS_CLIENTROOTCAS_FILES: foreignCa.cert },
    chosen: { cert: both.cert },
    problems: [
      `node peer0: the node refuses the client certificate ${both.cert} (environment CORE_OPERATIONS_TLS_CERT_FILE: operations.tls.cert.file): it was not issued by a client CA of the node; set cert and key`,
    ],
  },
  {
    title: 'node.cert and node.key are used before the certificates of the node, and checked too',
    environment: {},
    flags: ['node.insecureRelay=true', `node.cert=${expired.cert}`, `node.key=${expired.key}`],
    chosen: { cert: expired.cert, key: expired.key },
    problems: [
      `node peer0: the node refuses the client certificate ${expired.cert} (flag --set node.cert: node.cert): it expired on Feb  1 00:00:00 2020 GMT; set cert and key`,
    ],
  },
  {
    title: 'a private key that does not belong to the certificate is reported',
    environment: { CORE_OPERATIONS_TLS_KEY_FILE: other.key },
    chosen: { key: other.key },
    problems: [`node peer0: private key ${other.key} does not belong to client certificate ${both.cert}`],
  },
  {
    title: 'a client certificate without a key is reported',
    environment: {},
    flags: ['node.insecureRelay=true', `node.cert=${both.cert}`],
    chosen: { cert: both.cert, key: '' },
    problems: ['node peer0: cert and key must be set together'],
  },
  {
    title: 'a node without any key pair needs a client certificate of ours',
    environment: { CORE_OPERATIONS_TLS_KEY_FILE: '' },
    chosen: { cert: '', key: '' },
    problems: [
      'node peer0: there is no client certificate, which /metrics and /logspec of the node require; set cert and key',
    ],
  },
  {
    title: 'a certificate that is not valid for 127.0.0.1 is verified for its first name without a wildcard',
    environment: {
      CORE_PEER_TLS_ROOTCERT_FILE: ca.cert,
      CORE_OPERATIONS_TLS_CERT_FILE: named.cert,
      CORE_OPERATIONS_TLS_KEY_FILE: named.key,
    },
    chosen: { serverName: 'peer0.org1.example.com' },
  },
  {
    title: 'a certificate that is valid for the host name in the address is verified for that name',
    environment: {
      CORE_PEER_TLS_ROOTCERT_FILE: ca.cert,
      CORE_OPERATIONS_LISTENADDRESS: 'peer0:9443',
      CORE_OPERATIONS_TLS_CERT_FILE: named.cert,
      CORE_OPERATIONS_TLS_KEY_FILE: named.key,
    },
    chosen: { serverName: '' },
  },
  {
    title: 'the names in a certificate that is trusted itself do not matter',
    environment: {
      CORE_OPERATIONS_TLS_CERT_FILE: addressOnly.cert,
      CORE_OPERATIONS_TLS_KEY_FILE: addressOnly.key,
    },
    chosen: { certificate: addressOnly.cert, serverName: '' },
  },
  {
    title: 'node.serverName is used unchanged, and reported when the certificate is not valid for it',
    environment: {
      CORE_PEER_TLS_ROOTCERT_FILE: ca.cert,
      CORE_OPERATIONS_TLS_CERT_FILE: named.cert,
      CORE_OPERATIONS_TLS_KEY_FILE: named.key,
    },
    flags: ['node.insecureRelay=true', 'node.serverName=peer1'],
    chosen: { serverName: 'peer1' },
    problems: [
      `node peer0: server certificate ${named.cert} is valid for DNS:*.org1.example.com, DNS:peer0.org1.example.com, DNS:peer0, not for peer1; set serverName`,
    ],
  },
  {
    title: 'a certificate that is valid for another address only is reported',
    environment: {
      CORE_PEER_TLS_ROOTCERT_FILE: ca.cert,
      CORE_OPERATIONS_TLS_CERT_FILE: addressOnly.cert,
      CORE_OPERATIONS_TLS_KEY_FILE: addressOnly.key,
    },
    chosen: { serverName: '' },
    problems: [
      `node peer0: server certificate ${addressOnly.cert} is valid for IP Address:10.0.0.7, not for 127.0.0.1; set serverName`,
    ],
  },
];
for (const { title, environment, flags, chosen, problems = [] } of CASES) {
  test(title, async (t) => {
    const { settings, nodes } = monitoring(environment, flags);
    const plugins = await declaredBy(settings);
    const options = plugins.find(({ plugin }) => plugin === 'node')?.options;
    t.like(options, { tls: true, ...chosen });
    t.like(plugins.find(({ plugin }) => plugin === 'node-health')?.options, {
      tls: true,
      ...chosen,
    });
    t.deepEqual(nodeCertificateProblems(nodes), problems);
  });
}

test('the certificate of an intermediate CA in the chain is followed to the TLS CA', (t) => {
  const chain = join(temporaryFolder(t), 'chain.pem');
  // The CA itself as the rest of the chain.
  writeFileSync(chain, readFileSync(both.cert, 'utf8') + readFileSync(ca.cert, 'utf8'));
  const { nodes } = monitoring({
    CORE_OPERATIONS_TLS_CERT_FILE: chain,
    CORE_PEER_TLS_ROOTCERT_FILE: ca.cert,
  });
  t.is(nodes[0]?.tls.ca.value, ca.cert);
});

test('of the root CAs of an orderer, the one that issued the certificate is used; paths in General are relative to its file', (t) => {
  const cwd = temporaryFolder(t, {
    'conf/orderer.yaml': 'General: {TLS: {}}\nOperations: {TLS: {}}\nMetrics: {}\n',
    'conf/tls/ca.pem': readFileSync(ca.cert, 'utf8'),
    'operations.pem': readFileSync(both.cert, 'utf8'),
    'operations.key': readFileSync(both.key, 'utf8'),
  });
  const environment = {
    ORDERER_OPERATIONS_LISTENADDRESS: ':8443',
    ORDERER_OPERATIONS_TLS_ENABLED: 'true',
    ORDERER_OPERATIONS_TLS_CERTIFICATE: 'operations.pem',
    ORDERER_OPERATIONS_TLS_PRIVATEKEY: 'operations.key',
    ORDERER_OPERATIONS_TLS_CLIENTROOTCAS: `[${ca.cert}]`,
    ORDERER_GENERAL_TLS_ROOTCAS: `[${foreignCa.cert}, tls/ca.pem]`,
    ORDERER_METRICS_PROVIDER: 'prometheus',
  };
  const flags = ['node.insecureRelay=true'];
  const { nodes } = loadSettings({ files: [], nodes: ['conf'], flags, environment, cwd });
  t.deepEqual(nodeCertificateProblems(nodes), []);
  t.like(nodes[0]?.tls, {
    ca: {
      value: join(cwd, 'conf/tls/ca.pem'),
      origin: 'environment ORDERER_GENERAL_TLS_ROOTCAS: General.TLS.RootCAs',
    },
    cert: {
      value: join(cwd, 'operations.pem'),
      origin: 'environment ORDERER_OPERATIONS_TLS_CERTIFICATE: Operations.TLS.Certificate',
    },
  });
});

test('a node with TLS and without a certificate in its file needs node.ca', (t) => {
  const error = t.throws(() => monitoring({ CORE_OPERATIONS_TLS_CERT_FILE: '' }), {
    instanceOf: SettingsError,
  });
  t.deepEqual(error.problems, [
    'environment CORE_OPERATIONS_TLS_ENABLED: operations.tls.enabled: the server certificate of peer0 cannot be verified: its file names neither a CA nor a certificate; set node.ca',
  ]);
});

const REFUSED =
  'environment CORE_OPERATIONS_TLS_ENABLED: operations.tls.enabled: peer0 serves its metrics and log level only to clients with a certificate, but this agent has no TLS and would relay them to every client: set operations.tls of this agent, or node.metrics and node.logging to false, or node.insecureRelay to true';
const OWN_TLS = [
  'operations.tls.enabled=true',
  `operations.tls.cert.file=${server.cert}`,
  `operations.tls.key.file=${server.key}`,
  `operations.tls.clientRootCAs.files=${ca.cert}`,
];
const RELAYS: readonly (readonly [title: string, flags: readonly string[], isAllowed: boolean])[] = [
  ['nothing else is set', [], false],
  ['only its metrics are relayed', ['node.logging=false'], false],
  ['only its log level is relayed', ['node.metrics=false'], false],
  ['neither is relayed', ['node.metrics=false', 'node.logging=false'], true],
  ['node.insecureRelay is true', ['node.insecureRelay=true'], true],
  ['the service has TLS with client CAs', OWN_TLS, true],
];
for (const [title, flags, isAllowed] of RELAYS) {
  test(`a node with TLS is ${isAllowed ? 'relayed' : 'refused'} when ${title}`, (t) => {
    if (isAllowed) t.notThrows(() => monitoring({}, flags));
    else
      t.deepEqual(t.throws(() => monitoring({}, flags), { instanceOf: SettingsError }).problems, [REFUSED]);
  });
}
