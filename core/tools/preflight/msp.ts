// Checks the local MSP of a node: its directory, its CAs, its signing identity (Fabric: msp/configbuilder.go, `GetLocalMspConfig`, and
// msp/mspimplsetup.go). Fabric stops at the first fault; only this fault is reported, because others may follow from it.

import { createPrivateKey, X509Certificate } from 'node:crypto';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decodePem, encodePem } from '../../common/certificates/pem.js';
import { fabricMsp, localMspFiles, type MspFolder } from '../../../translator/edit/index.js';
import { TranslateError } from 'fabric-ops-agent/translator/channel';
import { setupMsp, type Msp, type Program } from 'fabric-ops-agent/translator/msp';
import { readMspFolder } from 'fabric-ops-agent/translator/node';
import type { NodeValues } from '../../../config/index.js';
import { readRegularBytes } from '../../common/files/regular-file.js';
import { reasonOf } from '../../contract/index.js';
import { finding, type Finding } from './cause.js';
import type { ProgramDecoders } from './decoders.js';
import { fileError, goText } from './files.js';

/** The version of the rules for the local MSP of a node (Fabric: msp/factory.go, `Options`). */
const LOCAL_VERSIONS = { '2.5': 'V1_4_3', '3.0': 'V3_0' } as const;
/** Largest file of an MSP directory that Fabric's key store reads, in bytes (bccsp/sw/fileks.go, `searchKeystoreForSKI`). */
const MAX_KEY_SIZE = 65_536;
const MAX_FILES = 1000;

/** The first fault of the local MSP of a node. */
export async function mspCauses(node: NodeValues<ProgramDecoders>, program: Program): Promise<Finding[]> {
  const { kind } = node;
  const id = node.text(kind === 'peer' ? 'peer.localMspId' : 'General.LocalMSPID');
  const { value: directory, origin } =
    kind === 'peer' ? node.path('peer.mspConfigPath') : node.path('General.LocalMSPDir', 'msp');
  if (kind === 'peer' && !existsSync(directory)) return [finding('msp-path-missing', origin, { directory })];
  if (id.value === '') return [finding('msp-id-missing', id.origin, { kind })];
  if (kind === 'peer' && node.text('peer.localMspType').value === 'idemix')
    return [idemixCause(node, directory)];
  return folderCauses(node, id.value, directory, program);
}

/** The public keys in the MSP directory of the type idemix, below `msp` (Fabric: msp/configbuilder.go, `GetIdemixMspConfig`). */
const IDEMIX_KEYS = [
  ['IssuerPublicKey', 'issuer'],
  ['RevocationPublicKey', 'revocation'],
] as const;

/** A peer exits whatever the directory contains, because its local MSP must have the type X.509 (Fabric: internal/peer/node/start.go, `serve`). */
function idemixCause(node: NodeValues, directory: string): Finding {
  const [unreadable] = IDEMIX_KEYS.flatMap(([name, what]) => {
    const path = join(directory, 'msp', name);
    const problem = fileError(path, () => readRegularBytes(path, MAX_KEY_SIZE));
    return problem === undefined ? [] : [{ what, path, problem }];
  });
  return finding('msp-type-idemix', node.text('peer.localMspType').origin, { unreadable });
}

async function folderCauses(
  { kind, decoders: { namesMspFolders: namesFolders } }: NodeValues<ProgramDecoders>,
  id: string,
  directory: string,
  program: Program,
): Promise<Finding[]> {
  const isIdemix = existsSync(join(directory, 'msp', IDEMIX_KEYS[0][0]));
  for (const name of ['signcerts', 'cacerts'] as const) {
    const path = join(directory, name);
    const problem = directoryProblem(path);
    if (problem === undefined && pemFiles(path).length > 0) continue;
    return [finding(`${name}-missing`, path, { path, problem, isIdemix, namesFolders })];
  }
  const file = join(directory, 'config.yaml');
  let folder: MspFolder;
  try {
    folder = await readMspFolder(directory);
  } catch (error) {
    return [finding('msp-config-broken', file, { file, problem: reasonOf(error) })];
  }
  let config: Uint8Array;
  try {
    config = fabricMsp(id, localMspFiles(folder));
  } catch (error) {
    return [finding('msp-invalid', directory, { unit: reasonOf(error) })];
  }
  const { msp, faults, lacksAdmins } = await setupMsp(config, LOCAL_VERSIONS[program.fabric], program);
  if (msp !== undefined) return identityCauses(kind, msp, directory);
  const [fault] = faults;
  return lacksAdmins
    ? [finding('admins-missing', file, { fault })]
    : [finding('msp-invalid', directory, { fault })];
}

/** The signing certificate of an orderer; undefined if there is none. */
export function signingCertificate(
  node: NodeValues,
): { readonly path: string; readonly bytes: Uint8Array } | undefined {
  try {
    return pemFiles(join(node.path('General.LocalMSPDir', 'msp').value, 'signcerts'))[0];
  } catch {
    return undefined;
  }
}

async function identityCauses(kind: NodeValues['kind'], msp: Msp, directory: string): Promise<Finding[]> {
  const [first] = pemFiles(join(directory, 'signcerts'));
  const { path, bytes } = first!;
  let identity: Awaited<ReturnType<Msp['identityOf']>>;
  try {
    identity = await msp.identityOf(bytes);
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    const { code, message, reason } = error;
    return [
      code === 'BAD_IDENTITY'
        ? finding('signcert-untrusted', path, { problem: message })
        : finding('signcert-invalid', path, { problem: reason }),
    ];
  }
  const { fault } = identity;
  if (identity.chain === undefined && fault !== undefined)
    return [finding('signcert-untrusted', path, { problem: fault.reason })];
  const keystore = join(directory, 'keystore');
  if (!hasKey(keystore, bytes)) return [finding('key-missing', keystore)];
  const { validFrom, validTo } = new X509Certificate(bytes);
  const [from, until] = [new Date(validFrom), new Date(validTo)];
  if (until.getTime() < Date.now()) return [finding('signcert-expired', path, { until })];
  return [
    ...(from.getTime() > Date.now() ? [finding('signcert-not-yet-valid', path, { from })] : []),
    ...(fault === undefined
      ? []
      : [finding('signcert-role', path, { kind, problem: fault.text, printed: fault.reason })]),
  ];
}

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
