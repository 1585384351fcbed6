// A node: its settings, and the certificates that they name. Private keys are not opened; only their paths are recorded.

import { createHash, X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { channelFoldersOf } from 'fabric-ops-agent/translator/node';
import type { NodeConfig } from '../../../config/index.js';
import { hashOfKey, hasIssued } from '../../common/certificates/chain.js';
import { certificateBlocks } from '../../common/certificates/pem.js';
import { readCertificates } from '../../common/certificates/tls-files.js';
import { readRegularFile } from '../../common/files/regular-file.js';
import { describeSystemError } from '../../common/text/system-error.js';

/** Largest file of certificates, in bytes. */
const MAX_FILE_SIZE = 1024 * 1024;

/** A certificate of a node, in one file or in copies of it. */
export interface StoredCertificate {
  readonly use: 'TLS' | 'identity';
  /** The files with the certificate and its private key, absolute paths; the key is empty if it is unknown, as in an HSM. */
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
  /** The file with the CA that issued it; undefined if the node has no such file. */
  readonly caFile: string | undefined;
  /** The validity of this CA, and whether it is self-signed; undefined without a file. */
  readonly ca: { readonly from: number; readonly until: number; readonly isRoot: boolean } | undefined;
}

/** A node with its certificates and the folders of its channels. */
export interface RescueNode {
  /** The common name of its identity, unique among the nodes. */
  readonly name: string;
  readonly kind: 'peer' | 'orderer';
  /** The absolute path of its file. */
  readonly file: string;
  readonly mspId: string;
  readonly certificates: readonly StoredCertificate[];
  /** Files with CAs of TLS certificates that the node trusts besides the CAs of the channels. */
  readonly trusted: readonly string[];
  /** For an orderer, the port for clients, and whether it has another port for other orderers. */
  readonly port: number;
  readonly hasClusterListener: boolean;
  /** A certificate and key for clients, if the node requires client certificates: its own, because they are valid when the others are. */
  readonly client: { readonly certificate: string; readonly key: string } | undefined;
  /** The folders of its channels, by name. */
  readonly channels: ReadonlyMap<string, string>;
}

/** A part of a node that uses TLS. */
interface TlsPart {
  readonly isUsed: (isOn: (key: string) => boolean) => boolean;
  readonly certificate?: string;
  readonly key?: string;
  /** Files with CAs, or a list of them. */
  readonly cas?: string;
}

/** The parts of both kinds of nodes. Fabric's sample files also name files for parts that are switched off. */
const TLS_PARTS: readonly TlsPart[] = [
  { isUsed: (isOn) => isOn('tls.enabled'), certificate: 'tls.cert', key: 'tls.key', cas: 'tls.rootCAs' },
  { isUsed: (isOn) => isOn('tls.enabled'), cas: 'tls.rootCert' },
  { isUsed: (isOn) => isOn('tls.clientAuthRequired'), cas: 'tls.clientRootCAs' },
  {
    isUsed: (isOn) => isOn('tls.enabled') || isOn('cluster.listenPort'),
    certificate: 'tls.clientCert',
    key: 'tls.clientKey',
    cas: 'cluster.rootCAs',
  },
  {
    isUsed: (isOn) => isOn('cluster.listenPort'),
    certificate: 'cluster.serverCertificate',
    key: 'cluster.serverPrivateKey',
  },
  {
    isUsed: (isOn) => isOn('admin.tls.enabled'),
    certificate: 'admin.tls.certificate',
    key: 'admin.tls.privateKey',
    cas: 'admin.tls.clientRootCAs',
  },
  {
    isUsed: (isOn) => isOn('operations.tls.enabled'),
    certificate: 'operations.tls.cert.file',
    key: 'operations.tls.key.file',
    cas: 'operations.tls.clientRootCAs.files',
  },
];

/**
 * Reads a node.
 *
 * @param file the absolute path of its file
 * @throws Error naming the unreadable part
 */
export function readRescueNode(config: NodeConfig, file: string): RescueNode {
  const text = (key: string): string => {
    const { value } = config.get<unknown>(key);
    return typeof value === 'string' ? value : '';
  };
  const portOf = (key: string): number => Number(config.get(key).value) || 0;
  for (const [key, path] of config.missing)
    throw new Error(
      `${file}: ${config.spelling(key)} ${path}: no directory of this host has this path of its container`,
    );
  const msp = text('msp');
  if (msp === '') throw new Error(`${file}: ${config.spelling('msp')} is not set`);
  const isOn = (key: string): boolean => config.get(key).value === true || portOf(key) !== 0;
  const parts = TLS_PARTS.filter(({ isUsed }) => isUsed(isOn));
  const listed = parts.flatMap(({ cas }) =>
    cas === undefined ? [] : config.get<string | readonly string[]>(cas).value,
  );
  const trusted = [...new Set(listed)].filter((path) => path !== '');
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
  const tls = parts.flatMap(({ certificate = '', key = '' }) =>
    certificate === '' || text(certificate) === ''
      ? []
      : [readCertificate('TLS', text(certificate), text(key), config.spelling(certificate), tlsCas)],
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
    client: isOn('tls.clientAuthRequired')
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

/** The certificates in a file; Fabric skips files of an MSP directory without certificates. @throws Error naming the file */
function certificatesIn(file: string): readonly X509Certificate[] {
  try {
    return certificateBlocks(readRegularFile(file, MAX_FILE_SIZE)).map((each) => new X509Certificate(each));
  } catch (error) {
    throw new Error(`${file}: ${describeSystemError(error)}`, { cause: error });
  }
}

/**
 * Finds the file of the private key of an identity without opening one: by the name from Fabric, which is the SHA-256 of the point of the
 * public key (bccsp/sw: ecdsaPrivateKey.SKI), or because it is the only file.
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

/** @param cas files that may contain its issuer */
function readCertificate(
  use: StoredCertificate['use'],
  certificate: string,
  key: string,
  setting: string,
  cas: readonly string[],
): StoredCertificate {
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
  // A CA may have been renewed: the one that expires last counts.
  const issuer = issuers.toSorted((a, b) => b.until - a.until).at(0);
  return {
    use,
    files: [{ certificate, key }],
    settings: [setting],
    // Node's types have string, but the value is undefined for a certificate with an empty name.
    subject: ((own.subject as string | undefined) ?? '').split('\n').join(', '),
    from: Date.parse(own.validFrom),
    until: Date.parse(own.validTo),
    keyHash: hashOfKey(own),
    fingerprint: own.fingerprint256,
    hasChain: certificates.length > 1,
    caFile: issuer?.file,
    ca: issuer,
  };
}

/** Merges the copies of a certificate. */
function joined(certificates: readonly StoredCertificate[]): readonly StoredCertificate[] {
  const found = new Map<string, StoredCertificate>();
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
