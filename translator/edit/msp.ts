// The MSP of an organisation: converts the files of an MSP directory to the value MSP, as configtxgen does (Fabric: msp/configbuilder.go,
// getMspConfig).

import { is, requireTypes } from '../../proto/arguments.js';
import { decodeAllPem, decodePem } from '../../core/common/certificates/pem.js';
import { nameText, certificateIn } from '../msp/index.js';
import { badEdit } from './edited.js';
import { MspFabricMSPConfig, type MspFabricOUIdentifier, MspMSPConfig } from '../../proto/messages.js';
import { type FieldsOf, writeMessage } from '../../proto/typed.js';

/** A file of an MSP directory. */
export interface MspFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** An MSP directory, on a disk or dropped on the page. */
export interface MspFolder {
  /** The path in messages. */
  readonly path: string;
  /** The parsed config.yaml; undefined if there is none. */
  readonly config: unknown;
  /** The files of a subdirectory such as `cacerts`, sorted by name; empty if it does not exist. */
  readonly filesIn: (directory: string) => readonly MspFile[];
  /** A file by its path such as `cacerts/ca.pem`; undefined if there is none. */
  readonly file: (path: string) => MspFile | undefined;
}

const FOLDER = is.named(
  'a result of readMspFolder',
  is.record({ path: is.text, filesIn: is.method, file: is.method }),
);

const ROLES = [
  ['client', 'ClientOUIdentifier'],
  ['peer', 'PeerOUIdentifier'],
  ['admin', 'AdminOUIdentifier'],
  ['orderer', 'OrdererOUIdentifier'],
] as const;

type Mapping = Readonly<Record<string, unknown>>;
const mappingOf = (value: unknown): Mapping =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Mapping) : {};
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The files for an MSP in a channel. Files that are not PEM are ignored. @throws TranslateError BAD_EDIT */
export function mspFilesOf(folder: MspFolder): MspFiles {
  requireTypes({ folder }, { folder: FOLDER }, 'BAD_EDIT');
  const files = localMspFiles(folder);
  for (const file of DIRECTORIES.flatMap(folder.filesIn)) withoutKey(file);
  for (const file of CA_DIRECTORIES.flatMap(folder.filesIn)) requireCa(file);
  if (files.roots.length === 0)
    throw badEdit(
      `${folder.path}: cacerts contains no certificate in PEM; the MSP directory of an organisation is needed`,
    );
  return files;
}

const CA_DIRECTORIES = ['cacerts', 'intermediatecerts', 'tlscacerts', 'tlsintermediatecerts'];
const DIRECTORIES = [...CA_DIRECTORIES, 'admincerts', 'crls'];

/**
 * The files that a node reads from its own MSP directory (`GetLocalMspConfig`). Files that are not PEM are ignored.
 *
 * @throws TranslateError BAD_EDIT for a unit without its certificate
 */
export function localMspFiles(folder: MspFolder): MspFiles {
  const pems = (name: string): Uint8Array[] =>
    folder
      .filesIn(name)
      .map(({ bytes }) => bytes)
      .filter((bytes) => decodePem(bytes) !== undefined);
  const config = mappingOf(folder.config);
  return {
    roots: pems('cacerts'),
    intermediates: pems('intermediatecerts'),
    admins: pems('admincerts'),
    revocationLists: pems('crls'),
    tlsRoots: pems('tlscacerts'),
    tlsIntermediates: pems('tlsintermediatecerts'),
    units: listOf(config.OrganizationalUnitIdentifiers).map((each) => requiredUnit(folder, each)),
    nodeOus: nodeOusOf(folder, mappingOf(config.NodeOUs)),
  };
}

/** Warnings that the wrong MSP directory may have been chosen. */
export function mspNotes({ path, filesIn }: MspFolder, { admins, nodeOus }: MspFiles): string[] {
  const notes: string[] = [];
  if (filesIn('keystore').length > 0)
    notes.push(`${path} has a keystore: it is the MSP directory of a person or node, not of an organisation`);
  if (nodeOus === undefined && admins.length === 0)
    notes.push(
      `${path} has neither NodeOUs in config.yaml nor certificates in admincerts: orderers refuse an MSP without admins`,
    );
  return notes;
}

/** @throws TranslateError for a file with a private key, which must not be written to a channel */
function withoutKey({ path, bytes }: MspFile): void {
  const key = decodeAllPem(bytes).find(({ label }) => label.endsWith('PRIVATE KEY'));
  if (key !== undefined)
    throw badEdit(`${path} contains a private key (${key.label}), which must not get into a channel`);
}

/** @throws TranslateError for a certificate of a person or node among the CA certificates */
function requireCa({ path, bytes }: MspFile): void {
  const certificate = certificateIn(bytes);
  if (certificate !== undefined && !certificate.extensions.isCa)
    throw badEdit(`${path} is the certificate of ${nameText(certificate.subject)}, which is not a CA`);
}

/** An entry of OrganizationalUnitIdentifiers; its certificate is required. */
function requiredUnit(folder: MspFolder, value: unknown): MspUnit {
  const { Certificate, OrganizationalUnitIdentifier } = mappingOf(value);
  const name = textOf(Certificate);
  const found = folder.file(name);
  if (found === undefined || decodePem(found.bytes) === undefined)
    throw badEdit(
      `${folder.path}: ${JSON.stringify(name)} of OrganizationalUnitIdentifiers in config.yaml is ${found === undefined ? 'missing' : 'not PEM'}`,
    );
  return { certificate: found.bytes, unit: textOf(OrganizationalUnitIdentifier) };
}

function nodeOusOf(folder: MspFolder, config: Mapping): NodeOus | undefined {
  if (config.Enable !== true) return undefined;
  return Object.fromEntries(
    ROLES.flatMap(([role, key]) => {
      const { Certificate, OrganizationalUnitIdentifier } = mappingOf(config[key]);
      const unit = textOf(OrganizationalUnitIdentifier);
      return unit === '' ? [] : [[role, { unit, certificate: optionalPem(folder, textOf(Certificate)) }]];
    }),
  );
}

/** The certificate of a NodeOU. If it is missing, Fabric only warns, and any CA of the MSP may issue the role. */
function optionalPem(folder: MspFolder, name: string): Uint8Array | undefined {
  const bytes = name === '' ? undefined : folder.file(name)?.bytes;
  return bytes === undefined || decodePem(bytes) === undefined ? undefined : bytes;
}

/** An organisational unit, and the PEM of the CA that must have issued its certificates; without one, any CA of the MSP is allowed. */
interface MspUnit {
  readonly certificate?: Uint8Array | undefined;
  readonly unit: string;
}

/** The content of an MSP directory. Certificates and CRLs are files in PEM. */
export interface MspFiles {
  readonly roots: readonly Uint8Array[];
  readonly intermediates: readonly Uint8Array[];
  readonly admins: readonly Uint8Array[];
  readonly revocationLists: readonly Uint8Array[];
  readonly tlsRoots: readonly Uint8Array[];
  readonly tlsIntermediates: readonly Uint8Array[];
  readonly units: readonly MspUnit[];
  /** The units of the roles; undefined without NodeOUs. */
  readonly nodeOus: NodeOus | undefined;
}

/** The units of the roles of NodeOUs. */
type NodeOus = Readonly<Partial<Record<'client' | 'peer' | 'admin' | 'orderer', MspUnit>>>;

/**
 * The serialized `msp.MSPConfig` of an organisation.
 *
 * @throws TranslateError BAD_EDIT without a root certificate or an MSP id
 */
export function mspValue(mspId: string, files: MspFiles): Uint8Array {
  requireTypes({ mspId, files }, { mspId: is.text, files: FILES }, 'BAD_EDIT');
  if (mspId === '') throw badEdit('the MSP id is empty');
  if (files.roots.length === 0)
    throw badEdit('the MSP has no root certificate: cacerts must contain at least one certificate in PEM');
  return writeMessage(MspMSPConfig, { config: fabricMsp(mspId, files) });
}

const UNIT = is.record({ certificate: is.optional(is.bytes), unit: is.text });
const ROLE_UNIT = is.optional(UNIT);
/** The type of {@link MspFiles}. */
const FILES = is.record({
  roots: is.list(is.bytes),
  intermediates: is.list(is.bytes),
  admins: is.list(is.bytes),
  revocationLists: is.list(is.bytes),
  tlsRoots: is.list(is.bytes),
  tlsIntermediates: is.list(is.bytes),
  units: is.list(UNIT),
  nodeOus: is.optional(
    is.record({ client: ROLE_UNIT, peer: ROLE_UNIT, admin: ROLE_UNIT, orderer: ROLE_UNIT }),
  ),
});

/** The serialized, unchecked `msp.FabricMSPConfig` of an MSP directory, for `setupMsp`. */
export function fabricMsp(mspId: string, files: MspFiles): Uint8Array {
  const { nodeOus } = files;
  return writeMessage(MspFabricMSPConfig, {
    name: mspId,
    rootCerts: files.roots,
    intermediateCerts: files.intermediates,
    admins: files.admins,
    revocationList: files.revocationLists,
    organizationalUnitIdentifiers: files.units.map(unitMessage),
    cryptoConfig: { signatureHashFamily: 'SHA2', identityIdentifierHashFunction: 'SHA256' },
    tlsRootCerts: files.tlsRoots,
    tlsIntermediateCerts: files.tlsIntermediates,
    fabricNodeOus: nodeOus && {
      enable: true,
      clientOuIdentifier: nodeOus.client && unitMessage(nodeOus.client),
      peerOuIdentifier: nodeOus.peer && unitMessage(nodeOus.peer),
      adminOuIdentifier: nodeOus.admin && unitMessage(nodeOus.admin),
      ordererOuIdentifier: nodeOus.orderer && unitMessage(nodeOus.orderer),
    },
  });
}

const unitMessage = ({ certificate, unit }: MspUnit): FieldsOf<MspFabricOUIdentifier> => ({
  certificate,
  organizationalUnitIdentifier: unit,
});
