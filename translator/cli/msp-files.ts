// Reads the MSP directory of an organisation, as configtxgen does (Fabric: msp/configbuilder.go, getMspConfig).

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { MspFiles, MspUnit, NodeOus } from '../edit/msp-config.js';
import { nameText } from '../describe/certificate.js';
import { decodeAllPem, decodePem } from '../../core/common/certificates/pem.js';
import { certificateIn } from '../msp/read-pem.js';
import { CommandError, onPath } from './errors.js';
import { filesIn, type File as MspFile } from './msp-directory.js';
import { mappingOf, readYaml, type Mapping } from './yaml-file.js';

const ROLES = [
  ['client', 'ClientOUIdentifier'],
  ['peer', 'PeerOUIdentifier'],
  ['admin', 'AdminOUIdentifier'],
  ['orderer', 'OrdererOUIdentifier'],
] as const;

/** Reads an MSP directory. Files that are not PEM are ignored. @throws CommandError */
export async function readMspFiles(path: string): Promise<MspFiles> {
  if (!onPath('open', path, () => statSync(path)).isDirectory())
    throw new CommandError(`--msp ${path} is a file, an MSP directory is needed`);
  const pems = (name: string, isRequired = false): Uint8Array[] =>
    filesIn(join(path, name), isRequired)
      .map(withoutKey)
      .filter((bytes) => decodePem(bytes) !== undefined);
  const cas = (name: string, isRequired = false): Uint8Array[] => {
    for (const file of filesIn(join(path, name), false)) requireCa(file);
    return pems(name, isRequired);
  };
  const roots = cas('cacerts', true);
  if (roots.length === 0)
    throw new CommandError(
      `--msp ${path}: cacerts contains no certificate in PEM; the MSP directory of an organisation is needed`,
    );
  const config = mappingOf(await readYaml(join(path, 'config.yaml')));
  return {
    roots,
    intermediates: cas('intermediatecerts'),
    admins: pems('admincerts'),
    revocationLists: pems('crls'),
    tlsRoots: cas('tlscacerts'),
    tlsIntermediates: cas('tlsintermediatecerts'),
    units: listOf(config.OrganizationalUnitIdentifiers).map((each) => requiredUnit(path, each)),
    nodeOus: nodeOusOf(path, mappingOf(config.NodeOUs)),
  };
}

/** What may be wrong with the choice of an MSP directory that can be used. */
export function mspNotes(path: string, { admins, nodeOus }: MspFiles): string[] {
  const has = (name: string): boolean =>
    statSync(join(path, name), { throwIfNoEntry: false })?.isDirectory() === true;
  const notes: string[] = [];
  if (has('keystore'))
    notes.push(`${path} has a keystore: it is the MSP directory of a person or node, not of an organisation`);
  if (nodeOus === undefined && admins.length === 0)
    notes.push(
      `${path} has neither NodeOUs in config.yaml nor certificates in admincerts: orderers refuse an MSP without admins`,
    );
  return notes;
}

/** @throws CommandError for a file with a private key, which must not get into a channel */
function withoutKey({ path, bytes }: MspFile): Uint8Array {
  const key = decodeAllPem(bytes).find(({ label }) => label.endsWith('PRIVATE KEY'));
  if (key !== undefined)
    throw new CommandError(
      `${path} contains a private key (${key.label}), which must not get into a channel`,
    );
  return bytes;
}

/** @throws CommandError for a certificate of a person or node among those of CAs */
function requireCa({ path, bytes }: MspFile): void {
  const certificate = certificateIn(bytes);
  if (certificate !== undefined && !certificate.extensions.isCa)
    throw new CommandError(
      `${path} is the certificate of ${nameText(certificate.subject)}, which is not a CA`,
    );
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Units without NodeOUs: their certificate is required. */
function requiredUnit(path: string, value: unknown): MspUnit {
  const { Certificate, OrganizationalUnitIdentifier } = mappingOf(value);
  const file = join(path, textOf(Certificate));
  const certificate = onPath('open', file, () => readFileSync(file));
  if (decodePem(certificate) === undefined)
    throw new CommandError(`${file} of OrganizationalUnitIdentifiers in config.yaml is not PEM`);
  return { certificate, unit: textOf(OrganizationalUnitIdentifier) };
}

function nodeOusOf(path: string, config: Mapping): NodeOus | undefined {
  if (config.Enable !== true) return undefined;
  return Object.fromEntries(
    ROLES.flatMap(([role, key]) => {
      const { Certificate, OrganizationalUnitIdentifier } = mappingOf(config[key]);
      const unit = textOf(OrganizationalUnitIdentifier);
      return unit === '' ? [] : [[role, { unit, certificate: optionalPem(path, textOf(Certificate)) }]];
    }),
  );
}

/** Fabric only warns about a missing certificate; then any CA of the MSP may issue the role. */
function optionalPem(path: string, name: string): Uint8Array | undefined {
  const file = join(path, name);
  if (name === '' || statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  const bytes = onPath('read', file, () => readFileSync(file));
  return decodePem(bytes) === undefined ? undefined : bytes;
}
