// Checks the local MSP of a node: its directory, its CAs, its signing identity (Fabric: msp/configbuilder.go, `GetLocalMspConfig`, and
// msp/mspimplsetup.go). Fabric stops at the first fault; only this fault is reported, because others may follow from it.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fabricMsp, localMspFiles } from 'fabric-ops-agent/translator/edit';
import { decodePem, encodePem, setupMsp, type Msp, type Program } from 'fabric-ops-agent/translator/msp';
import { readMspFolder } from 'fabric-ops-agent/translator/node';
import { readRegularBytes } from '../../common/files/regular-file.js';
import { reasonOf } from '../../contract/index.js';
import type { Found } from './cause.js';
import { fileError, goText } from './files.js';
import type { PreflightNode } from './node.js';

/** The version of the rules for the local MSP of a node (Fabric: msp/factory.go, `Options`). */
const LOCAL_VERSIONS = { '2.5': 'V1_4_3', '3.0': 'V3_0' } as const;
/** Largest file of an MSP directory that Fabric's key store reads, in bytes (bccsp/sw/fileks.go, `searchKeystoreForSKI`). */
const MAX_KEY_SIZE = 65_536;
const MAX_FILES = 1000;

/** The first fault of the local MSP of a node. */
export async function mspCauses(node: PreflightNode, program: Program): Promise<Found[]> {
  const found: Found[] = [];
  const { kind } = node;
  const id = node.text(kind === 'peer' ? 'peer.localMspId' : 'General.LocalMSPID');
  const directory =
    kind === 'peer' ? node.path('peer.mspConfigPath') : node.path('General.LocalMSPDir', 'msp');
  if (kind === 'peer' && !existsSync(directory.value)) {
    found.push({
      id: 'msp-path-missing',
      says: `cannot init crypto, specified path "${directory.value}" does not exist or cannot be accessed`,
      means: `the peer has no directory with its identity${directory.value === '' ? '' : `: there is no ${directory.value}`}`,
      where: directory.origin,
      todo: 'set peer.mspConfigPath to the MSP directory of the peer',
    });
    return found;
  }
  if (id.value === '')
    found.push(
      kind === 'peer'
        ? {
            id: 'msp-id-missing',
            says: 'the local MSP must have an ID',
            means: 'the peer does not know the id of its organisation',
            where: id.origin,
            todo: 'set peer.localMspId',
          }
        : {
            id: 'msp-id-missing',
            severity: 'warning',
            says: '',
            means: 'without an MSP id the orderer uses SampleOrg, and no other orderer accepts it',
            where: id.origin,
            todo: 'set General.LocalMSPID',
          },
    );
  else if (kind === 'peer' && node.text('peer.localMspType').value === 'idemix')
    found.push(idemixCause(node, directory.value));
  else found.push(...(await folderCauses(node, id.value, directory.value, program)));
  return found;
}

/** The public keys in the MSP directory of the type idemix, below `msp` (Fabric: msp/configbuilder.go, `GetIdemixMspConfig`). */
const IDEMIX_KEYS = [
  ['IssuerPublicKey', 'issuer'],
  ['RevocationPublicKey', 'revocation'],
] as const;

/** A peer exits whatever the directory contains, because its local MSP must have the type X.509 (Fabric: internal/peer/node/start.go, `serve`). */
function idemixCause(node: PreflightNode, directory: string): Found {
  const unreadable = IDEMIX_KEYS.map(([name, what]) => {
    const path = join(directory, 'msp', name);
    const problem = fileError(path, () => readRegularBytes(path, MAX_KEY_SIZE));
    return problem && `failed to read ${what} public key file: could not read file ${path}: ${problem}`;
  });
  return {
    id: 'msp-type-idemix',
    says: unreadable.find((each) => each !== undefined) ?? 'Unsupported msp type idemix',
    means: 'the MSP of a peer cannot be of the type idemix, which is for clients',
    where: node.text('peer.localMspType').origin,
    todo: 'set it to bccsp, and peer.mspConfigPath to an MSP directory with X.509 certificates',
  };
}

async function folderCauses(
  { kind, decoders: { namesMspFolders } }: PreflightNode,
  id: string,
  directory: string,
  program: Program,
): Promise<Found[]> {
  for (const [name, unreadable, none, todo] of [
    [
      'signcerts',
      namesMspFolders
        ? 'could not load signing certificate from'
        : 'could not load a valid signer certificate from',
      'no signing certificate found in directory',
      'put the signing certificate of the node there, in PEM',
    ],
    [
      'cacerts',
      'could not load a valid ca certificate from',
      'no ca certificate found in directory',
      'put the CA of the organisation there, in PEM',
    ],
  ] as const) {
    const path = join(directory, name);
    const problem = directoryProblem(path);
    if (problem !== undefined)
      return [
        {
          id: `${name}-missing`,
          says: `${unreadable} directory ${path}: ${problem}`,
          where: path,
          ...(existsSync(join(directory, 'msp', IDEMIX_KEYS[0][0]))
            ? {
                means: 'the directory has an MSP of the type idemix, which is for clients',
                todo: 'name an MSP directory with X.509 certificates',
              }
            : { means: `the directory ${name} of the MSP cannot be read`, todo }),
        },
      ];
    if (pemFiles(path).length > 0) continue;
    return [
      {
        id: `${name}-missing`,
        says: namesMspFolders ? none : 'Setup error: nil conf reference',
        means: `${name} has no certificate in PEM`,
        where: path,
        todo,
      },
    ];
  }
  try {
    const files = localMspFiles(await readMspFolder(directory));
    const setup = await setupMsp(fabricMsp(id, files), LOCAL_VERSIONS[program.fabric], program);
    if (setup.msp === undefined) return [setupCause(directory, setup.faults[0])];
    return await identityCauses(kind, setup.msp, directory);
  } catch (error) {
    if (reasonOf(error).includes('of OrganizationalUnitIdentifiers in config.yaml'))
      return [
        {
          ...setupCause(directory, 'failed loading OrganizationalUnit certificate at ['),
          means: reasonOf(error),
        },
      ];
    const file = join(directory, 'config.yaml');
    return [
      {
        id: 'msp-config-broken',
        says: `failed unmarshalling configuration file at [${file}]`,
        means: reasonOf(error),
        where: file,
        todo: 'correct the file, or copy it from another node of the organisation',
      },
    ];
  }
}

function setupCause(directory: string, fault: string): Found {
  const isAdmins = fault.includes('administrators must be declared');
  return {
    id: isAdmins ? 'admins-missing' : 'msp-invalid',
    says: fault,
    means: isAdmins
      ? 'config.yaml has no unit of administrators (NodeOUs, AdminOUIdentifier), and admincerts has no certificate'
      : 'a certificate of the MSP directory cannot be used as Fabric requires',
    where: isAdmins ? join(directory, 'config.yaml') : directory,
    todo: isAdmins
      ? 'enable NodeOUs with AdminOUIdentifier in config.yaml, as on other nodes of the organisation'
      : "replace it with the certificate of the organisation's CA; cacerts, intermediatecerts and the tls… directories must contain only CAs",
  };
}

/** The signing certificate of an orderer; undefined if there is none. */
export function signingCertificate(
  node: PreflightNode,
): { readonly path: string; readonly bytes: Uint8Array } | undefined {
  try {
    return pemFiles(join(node.path('General.LocalMSPDir', 'msp').value, 'signcerts'))[0];
  } catch {
    return undefined;
  }
}

async function identityCauses(kind: PreflightNode['kind'], msp: Msp, directory: string): Promise<Found[]> {
  const [first] = pemFiles(join(directory, 'signcerts'));
  const { path, bytes } = first!;
  const where = path;
  const renew = 'enroll the node again (fabric-ca-client reenroll), and put certificate and key in place';
  let identity: Awaited<ReturnType<Msp['identityOf']>>;
  try {
    identity = await msp.identityOf(bytes);
  } catch (error) {
    const says = reasonOf(error);
    if (says.startsWith('the supplied identity is not valid')) return [untrusted(says, where, renew)];
    const means = 'this version of Fabric cannot read the signing certificate';
    return [{ id: 'signcert-invalid', says: reasonIn(says), means, where, todo: renew }];
  }
  const { validationError } = identity;
  if (identity.chain === undefined && validationError !== undefined)
    return [untrusted(reasonIn(validationError), where, renew)];
  if (!hasKey(join(directory, 'keystore'), bytes))
    return [
      {
        id: 'key-missing',
        says: 'KeyMaterial not found in SigningIdentityInfo',
        means: 'keystore has no readable private key that belongs to the signing certificate',
        where: join(directory, 'keystore'),
        todo: 'put the private key of the signing certificate there, in PEM, readable for the user of the node',
      },
    ];
  const certificate = new X509Certificate(bytes);
  if (Date.parse(certificate.validTo) < Date.now())
    return [
      {
        id: 'signcert-expired',
        says: 'signing identity expired',
        means: `the signing certificate expired on ${new Date(certificate.validTo).toISOString()}`,
        where,
        todo: renew,
      },
    ];
  return [
    ...validityWarning(certificate, where, renew),
    ...(validationError === undefined ? [] : [ouCause(kind, validationError, where, renew)]),
  ];
}

const untrusted = (says: string, where: string, renew: string): Found => ({
  id: 'signcert-untrusted',
  says,
  means:
    'no CA in cacerts has issued the signing certificate, or the CA was not valid at the start of the certificate',
  where,
  todo: `put the CA that issued it in cacerts, or ${renew}`,
});

/** An orderer does not validate its own identity at the start; a peer does (gossip/identity). */
function ouCause(kind: PreflightNode['kind'], says: string, where: string, todo: string): Found {
  return {
    id: 'signcert-role',
    ...(kind === 'orderer' && { severity: 'warning' }),
    says: kind === 'orderer' ? '' : reasonIn(says),
    means: `the identity of the node is not valid in its organisation: ${says}`,
    where,
    todo,
  };
}

function validityWarning(certificate: X509Certificate, where: string, todo: string): Found[] {
  const begins = Date.parse(certificate.validFrom);
  if (begins <= Date.now()) return [];
  const means = `the signing certificate is not valid before ${new Date(begins).toISOString()}: other nodes refuse this node until then`;
  return [{ id: 'signcert-not-yet-valid', severity: 'warning', says: '', means, where, todo }];
}

/** The part of a message that is the same at the start of a node and later. */
const reasonIn = (text: string): string =>
  /x509: .*|Failed importing key .*|the identity must have .*/.exec(text)?.[0] ?? text;

function directoryProblem(path: string): string | undefined {
  try {
    readdirSync(path);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return `${code === 'EACCES' ? 'open' : 'stat'} ${path}: ${goText(error)}`;
  }
}

/** The files of a directory with a PEM block; unreadable files are ignored, as in Fabric. */
function pemFiles(directory: string): { readonly path: string; readonly bytes: Uint8Array }[] {
  return readdirSync(directory)
    .toSorted()
    .slice(0, MAX_FILES)
    .flatMap((name) => {
      const path = join(directory, name);
      const bytes = bytesOf(path);
      return bytes === undefined || decodePem(bytes) === undefined ? [] : [{ path, bytes }];
    });
}

function bytesOf(path: string): Uint8Array | undefined {
  try {
    return statSync(path).isFile() ? readRegularBytes(path, MAX_KEY_SIZE) : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a directory has the private key of a certificate. */
function hasKey(directory: string, certificate: Uint8Array): boolean {
  if (directoryProblem(directory) !== undefined) return false;
  const read = new X509Certificate(certificate);
  return pemFiles(directory).some(({ bytes }) => {
    try {
      // Only the first block of a file is used, and RSA keys are ignored.
      const { label, bytes: der } = decodePem(bytes)!;
      const key = createPrivateKey(encodePem(label, der));
      return read.checkPrivateKey(key) && key.asymmetricKeyType !== 'rsa';
    } catch {
      return false;
    }
  });
}
