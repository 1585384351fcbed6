// The inputs of a plan: the files of the nodes with their certificates, and the channels in the ledger folders of the orderers. Private
// keys are not opened; only their paths are known.

import { createHash, X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { addressText, channelOf, readConfigFile, type Consenter } from 'fabric-ops-agent/translator/channel';
import { blockBytes, channelFoldersOf, Ledger } from 'fabric-ops-agent/translator/ledger';
import {
  openNodeFile,
  readEnvironmentFile,
  readNodeConfig,
  type Environment,
  type NodeConfig,
} from '../../../config/index.js';
import { hasIssued } from '../../common/certificates/chain.js';
import { certificateBlocks } from '../../common/certificates/pem.js';
import { readCertificates } from '../../common/certificates/tls-files.js';
import { readRegularFile } from '../../common/files/regular-file.js';
import { describeSystemError } from '../../common/text/system-error.js';
import { reasonOf } from '../../contract/index.js';

/** Largest file of certificates, in bytes. */
const MAX_FILE_SIZE = 1024 * 1024;

/** A certificate of a node, in one file or in copies of it. */
export interface NodeCertificate {
  readonly use: 'TLS' | 'identity';
  /** The files with the certificate, absolute, each with the file of its private key; the key is empty if it is unknown, as in an HSM. */
  readonly files: readonly { readonly certificate: string; readonly key: string }[];
  /** The settings that name the files: `General.TLS.Certificate`. */
  readonly settings: readonly string[];
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
  /** SHA-256 of the public key. */
  readonly keyHash: string;
  /** SHA-256 of the certificate. */
  readonly fingerprint: string;
  /** Whether certificates of intermediate CAs follow in the file. */
  readonly hasChain: boolean;
  /** The file with the CA that has issued it; undefined if the node has none. */
  readonly caFile: string | undefined;
  /** When this CA starts and ends, and whether it signs itself; undefined as well. */
  readonly ca: { readonly from: number; readonly until: number; readonly isRoot: boolean } | undefined;
}

/** A node. */
export interface NodeFacts {
  /** The common name of its identity, which no other node has. */
  readonly name: string;
  readonly kind: 'peer' | 'orderer';
  /** The absolute path of its file. */
  readonly file: string;
  readonly mspId: string;
  readonly certificates: readonly NodeCertificate[];
  /** Files with CAs of TLS certificates that the node trusts besides those of the channels. */
  readonly trusted: readonly string[];
  /** Of an orderer: the port that clients use, and whether orderers have another one for each other. */
  readonly port: number;
  readonly hasClusterListener: boolean;
  /** Its TLS certificate and the key, if it requires certificates of clients: its own is valid whenever the others are. */
  readonly client: { readonly certificate: string; readonly key: string } | undefined;
  /** The folders of its channels, by name. */
  readonly channels: ReadonlyMap<string, string>;
}

/** A consenter of a channel. */
export interface ConsenterFacts {
  /** `host:port` */
  readonly address: string;
  readonly host: string;
  /** The name of its node; undefined if its file was not given. */
  readonly node: string | undefined;
  /** The SHA-256 of the public keys of its certificates; `identity` of BFT only. */
  readonly clientKey: string;
  readonly serverKey: string;
  /** The SHA-256 of the certificate of a BFT consenter's identity. */
  readonly identity: string | undefined;
}

/** The group of an organisation in a channel. */
export interface OrganizationFacts {
  readonly name: string;
  readonly section: 'orderer' | 'application';
  readonly mspId: string;
  /** The addresses of its orderers. */
  readonly endpoints: readonly string[];
}

/** A channel, from the newest config block that a node has. */
export interface ChannelFacts {
  readonly name: string;
  readonly block: bigint;
  readonly isBft: boolean;
  readonly consenters: readonly ConsenterFacts[];
  /** The groups of the organisations, with the ids of their MSPs. */
  readonly organizations: readonly OrganizationFacts[];
}

/** The inputs of a plan. */
export interface Facts {
  readonly nodes: readonly NodeFacts[];
  readonly channels: readonly ChannelFacts[];
}

/** A file of a node, and the file with its variables; empty: none. */
export interface NamedFile {
  readonly file: string;
  readonly environmentFile: string;
}

/**
 * Reads the nodes and their channels.
 *
 * @param environment its variables describe a node when it is the only one of its kind
 * @throws Error with one line for each file that cannot be read
 */
export function readFacts(files: readonly NamedFile[], environment: Environment, cwd: string): Facts {
  const problems: string[] = [];
  const attempt = <Result>(call: () => Result): Result | undefined => {
    try {
      return call();
    } catch (error) {
      problems.push(reasonOf(error));
      return undefined;
    }
  };
  const opened = files.flatMap((each) => {
    const node = attempt(() => ({ ...openNodeFile(each.file, cwd), named: each }));
    return node === undefined ? [] : [node];
  });
  const nodes = opened.flatMap(({ file, kind, named: { environmentFile } }) => {
    const isOnly = opened.filter((other) => other.kind === kind).length === 1;
    const node = attempt(() => {
      const variables =
        environmentFile === '' ? (isOnly ? environment : {}) : readEnvironmentFile(environmentFile, cwd);
      const config = readNodeConfig({ file, kind }, variables, cwd);
      if ('problems' in config) throw new Error(config.problems.join('\n'));
      return readNode(config, resolve(cwd, file.name));
    });
    return node === undefined ? [] : [node];
  });
  const named = nodes.map((node, index) =>
    nodes.findIndex(({ name }) => name === node.name) === index
      ? node
      : { ...node, name: `${node.name}-${index + 1}` },
  );
  const channels = attempt(() => channelsOf(named)) ?? [];
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return { nodes: named, channels };
}

/** The settings with certificates of TLS, and those of their private keys; the same in the files of both kinds of nodes. */
const TLS_FILES = [
  ['tls.cert', 'tls.key'],
  ['tls.clientCert', 'tls.clientKey'],
  ['cluster.serverCertificate', 'cluster.serverPrivateKey'],
  ['admin.tls.certificate', 'admin.tls.privateKey'],
  ['operations.tls.cert.file', 'operations.tls.key.file'],
] as const;
const TRUSTED = [
  'tls.rootCAs',
  'tls.clientRootCAs',
  'cluster.rootCAs',
  'admin.tls.clientRootCAs',
  'operations.tls.clientRootCAs.files',
] as const;

/** @throws Error naming what cannot be read */
function readNode(config: NodeConfig, file: string): NodeFacts {
  const text = (key: string): string => {
    const { value } = config.get<unknown>(key);
    return typeof value === 'string' ? value : '';
  };
  const portOf = (key: string): number => Number(config.get(key).value) || 0;
  const msp = text('msp');
  const settingOf = (key: string): string => config.get(key).origin.split(': ').at(-1) ?? key;
  if (msp === '') throw new Error(`${file}: ${settingOf('msp')} is not set`);
  const rootCert = text('tls.rootCert');
  const listed = TRUSTED.flatMap((key) => config.get<readonly string[]>(key).value);
  const trusted = [...new Set([...listed, ...(rootCert === '' ? [] : [rootCert])])];
  const tlsCas = [
    ...trusted,
    ...filesIn(join(msp, 'tlscacerts')),
    ...filesIn(join(msp, 'tlsintermediatecerts')),
  ];
  const cas = [...filesIn(join(msp, 'cacerts')), ...filesIn(join(msp, 'intermediatecerts'))];
  const signcerts = join(msp, 'signcerts');
  const identityFile = filesIn(signcerts).find((each) => certificatesIn(each).length > 0);
  if (identityFile === undefined) throw new Error(`${signcerts}: there is no certificate in it`);
  const identity = readCertificate('identity', identityFile, keyFileOf(msp, identityFile), signcerts, cas);
  const tls = TLS_FILES.filter(([certificate]) => text(certificate) !== '').map(([certificate, key]) =>
    readCertificate('TLS', text(certificate), text(key), settingOf(certificate), tlsCas),
  );
  const folders = text('ledger') === '' ? [] : channelFoldersOf(text('ledger'));
  return {
    name: /CN=([^,\n]+)/.exec(identity.subject)?.[1] ?? basename(file),
    kind: config.kind,
    file,
    mspId: text('mspId'),
    certificates: [identity, ...joined(tls)],
    trusted,
    port: portOf('listenPort'),
    hasClusterListener: portOf('cluster.listenPort') !== 0,
    client: config.get<boolean>('tls.clientAuthRequired').value
      ? { certificate: text('tls.cert'), key: text('tls.key') }
      : undefined,
    channels: new Map(folders.map((folder) => [basename(folder), folder])),
  };
}

/** The files of a directory, absolute and sorted; none if it does not exist. */
function filesIn(directory: string): readonly string[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => !name.startsWith('.'))
    .toSorted()
    .map((name) => join(directory, name))
    .filter((path) => statSync(path).isFile());
}

/** The certificates in a file; Fabric skips files of an MSP directory that have none. @throws Error naming the file */
function certificatesIn(file: string): readonly X509Certificate[] {
  try {
    return certificateBlocks(readRegularFile(file, MAX_FILE_SIZE)).map((each) => new X509Certificate(each));
  } catch (error) {
    throw new Error(`${file}: ${describeSystemError(error)}`, { cause: error });
  }
}

/**
 * The file of the private key of an identity, without opening one: it has the name that Fabric gives it, the SHA-256 of the point of the
 * public key (bccsp/sw: ecdsaPrivateKey.SKI), or it is the only one.
 */
function keyFileOf(msp: string, certificateFile: string): string {
  const files = filesIn(join(msp, 'keystore'));
  const { publicKey } = readCertificates(certificateFile, 'identity').certificates[0];
  const { x, y } = publicKey.export({ format: 'jwk' }) as { readonly x?: string; readonly y?: string };
  if (x !== undefined && y !== undefined) {
    const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
    const name = `${createHash('sha256').update(point).digest('hex')}_sk`;
    const found = files.find((file) => basename(file) === name);
    if (found !== undefined) return found;
  }
  return files.length === 1 ? files[0]! : '';
}

/** @param cas the files in which its issuer may be */
function readCertificate(
  use: NodeCertificate['use'],
  certificate: string,
  key: string,
  setting: string,
  cas: readonly string[],
): NodeCertificate {
  const { certificates } = readCertificates(certificate, setting);
  const [own] = certificates;
  const issuers = cas.flatMap((file) =>
    certificatesIn(file)
      .filter((each) => hasIssued(each, own))
      .map((each) => ({
        file,
        from: Date.parse(each.validFrom),
        until: Date.parse(each.validTo),
        isRoot: hasIssued(each, each),
      })),
  );
  // A CA may have been renewed: the last one to end counts.
  const issuer = issuers.toSorted((a, b) => b.until - a.until).at(0);
  return {
    use,
    files: [{ certificate, key }],
    settings: [setting],
    subject: own.subject.split('\n').join(', '),
    from: Date.parse(own.validFrom),
    until: Date.parse(own.validTo),
    keyHash: hashOfKey(own),
    fingerprint: own.fingerprint256,
    hasChain: certificates.length > 1,
    caFile: issuer?.file,
    ca: issuer,
  };
}

/** Certificates that are the same become one. */
function joined(certificates: readonly NodeCertificate[]): readonly NodeCertificate[] {
  const found = new Map<string, NodeCertificate>();
  for (const each of certificates) {
    const first = found.get(each.fingerprint);
    const isKnown = first?.files.some(({ certificate }) => certificate === each.files[0]?.certificate);
    found.set(
      each.fingerprint,
      first === undefined
        ? each
        : {
            ...first,
            files: isKnown === true ? first.files : [...first.files, ...each.files],
            settings: [...first.settings, ...each.settings],
          },
    );
  }
  return [...found.values()];
}

const hashOfKey = ({ publicKey }: X509Certificate): string =>
  createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');

/** The channels of the orderers, each as of the newest config block. @throws Error naming the folder that cannot be read */
function channelsOf(nodes: readonly NodeFacts[]): readonly ChannelFacts[] {
  const found = new Map<string, ChannelFacts>();
  for (const { kind, channels } of nodes)
    for (const [name, folder] of kind === 'orderer' ? channels : []) {
      const block = Ledger.open(folder).newestConfig();
      if ((found.get(name)?.block ?? -1n) < block.number)
        found.set(name, readChannel(name, block.number, blockBytes(block), nodes));
    }
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function readChannel(
  name: string,
  block: bigint,
  bytes: Uint8Array,
  nodes: readonly NodeFacts[],
): ChannelFacts {
  const { orderer, application, ordererAddresses } = channelOf(readConfigFile(bytes).config);
  const groups = [
    ...orderer.organizations.map((each) => ({ each, section: 'orderer' as const })),
    ...application.organizations.map((each) => ({ each, section: 'application' as const })),
  ];
  return {
    name,
    block,
    isBft: orderer.isBft,
    consenters: orderer.consenters.map((each) => readConsenter(each, nodes)),
    organizations: groups.map(({ each, section }) => ({
      name: each.name,
      section,
      mspId: each.mspId ?? '',
      // Without addresses of their own, peers use those of the channel.
      endpoints: section === 'orderer' ? (each.endpoints.length > 0 ? each.endpoints : ordererAddresses) : [],
    })),
  };
}

/** The node of a consenter has its TLS key, or its identity: a renewed certificate has the same key. */
function readConsenter(consenter: Consenter, nodes: readonly NodeFacts[]): ConsenterFacts {
  const parsed = (pem: Uint8Array): X509Certificate =>
    new X509Certificate(certificateBlocks(Buffer.from(pem).toString('latin1'))[0] ?? '');
  const clientKey = hashOfKey(parsed(consenter.clientTlsCert));
  const serverKey = hashOfKey(parsed(consenter.serverTlsCert));
  const identity = consenter.identity && parsed(consenter.identity);
  const keys = new Set([clientKey, serverKey, ...(identity === undefined ? [] : [hashOfKey(identity)])]);
  const node = nodes.find(
    ({ kind, certificates }) => kind === 'orderer' && certificates.some(({ keyHash }) => keys.has(keyHash)),
  );
  return {
    address: addressText(consenter),
    host: consenter.host,
    node: node?.name,
    clientKey,
    serverKey,
    identity: identity?.fingerprint256,
  };
}
