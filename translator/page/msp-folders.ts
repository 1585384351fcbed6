// MSP folders among the dropped files: of users who sign, and of organisations.

import { decodePem } from '../../core/common/certificates/pem.js';
import { attempt, TranslateError } from '#proto/errors.js';
import { mspFilesOf, mspNotes, type MspFiles, type MspFolder } from '#translator/edit/index.js';
import type { FoundIdentity } from '#translator/identity/index.js';
import { readCertificate } from '#translator/msp/index.js';
import { findSigningIdentity, type SigningIdentity } from '#translator/sign/index.js';
import { Composer, Parser } from 'yaml';
import type { Dropped } from './files.js';

/** A dropped MSP folder. */
export interface DroppedMsp {
  /** Its path; a folder that is only called `msp` also has the name of its owner: `msp of Admin@org1.example.com`. */
  readonly name: string;
  /** The common name of a person, or the domain of an organisation; empty if it is unknown. */
  readonly owner: string;
  /** The files for a channel; undefined if the folder has no CAs or belongs to a person. */
  readonly organization: MspFiles | undefined;
  /** Possible problems. */
  readonly notes: readonly string[];
  /** The certificate and the keys of a person or node. */
  readonly person: SignerFiles | undefined;
  /** The identity of a person or node, also without keys. */
  readonly identity: FoundIdentity | undefined;
  /** The reason that it cannot be used. */
  readonly error: string | undefined;
}

/** A person or node that can sign. */
export interface SignerFiles {
  readonly certificate: Uint8Array;
  /** Empty if the folder has no key: it cannot sign. */
  readonly keys: readonly Dropped[];
  readonly cas: readonly Uint8Array[];
}

const PART =
  /^(?:(.*)\/)?((?:signcerts|keystore|cacerts|intermediatecerts|admincerts|crls|tlscacerts|tlsintermediatecerts)\/.+|config\.yaml)$/;
const MAX_YAML = 1024 * 1024;
const MAX_ALIASES = 100;

/** Whether a path belongs to an MSP folder. */
export const isMspPart = (path: string): boolean => PART.test(path);

/** The MSP folders of files. @param dropped files with {@link isMspPart} */
export function mspsIn(dropped: readonly Dropped[]): readonly DroppedMsp[] {
  const folders = new Map<string, Map<string, Dropped>>();
  for (const each of dropped) {
    const [, folder = 'msp', part = ''] = PART.exec(each.path) ?? [];
    folders.set(folder, (folders.get(folder) ?? new Map<string, Dropped>()).set(part, each));
  }
  return [...folders].map(([name, parts]) => mspOf(name, parts));
}

function mspOf(path: string, parts: ReadonlyMap<string, Dropped>): DroppedMsp {
  const owner = ownerOf(parts);
  const name = path === 'msp' && owner !== '' ? `msp of ${owner}` : path;
  let none: DroppedMsp = {
    name,
    owner,
    organization: undefined,
    notes: [],
    person: undefined,
    identity: undefined,
    error: undefined,
  };
  try {
    const folder = folderOf(path, parts);
    const found = personOf(folder, parts);
    if (found !== undefined) none = { ...none, identity: identityOf(found) };
    if (found !== undefined && found.keys.length > 0) return { ...none, person: found };
    const organization = mspFilesOf(folder);
    return { ...none, organization, notes: mspNotes(folder, organization) };
  } catch (error) {
    // A folder of a person may have no CAs.
    return none.identity === undefined ? { ...none, error: (error as Error).message } : none;
  }
}

/** The owner of a folder, by its certificate or else its CA. */
function ownerOf(parts: ReadonlyMap<string, Dropped>): string {
  const firstIn = (directory: string): string =>
    [...parts]
      .filter(([part]) => part.startsWith(`${directory}/`))
      .map(([, { bytes }]) => commonNameOf(bytes))
      .find((each) => each !== '') ?? '';
  return firstIn('signcerts') || domainOf(firstIn('cacerts'));
}

function folderOf(path: string, parts: ReadonlyMap<string, Dropped>): MspFolder {
  const config = parts.get('config.yaml');
  return {
    path,
    config: config === undefined || config.size > MAX_YAML ? undefined : yamlOf(config.bytes),
    filesIn: (directory) =>
      [...parts.entries()]
        // Fabric does not read subdirectories.
        .filter(([part]) => part.startsWith(`${directory}/`) && part.split('/').length === 2)
        .sort(([left], [right]) => (left < right ? -1 : 1))
        .map(([, file]) => file),
    file: (part) => parts.get(part),
  };
}

function yamlOf(bytes: Uint8Array): unknown {
  const [document] = [...new Composer().compose(new Parser().parse(new TextDecoder().decode(bytes)))];
  const [error] = document?.errors ?? [];
  if (error !== undefined) throw new TranslateError('BAD_EDIT', `config.yaml: ${error.message}`);
  return document?.toJS({ maxAliasCount: MAX_ALIASES });
}

function personOf(folder: MspFolder, parts: ReadonlyMap<string, Dropped>): SignerFiles | undefined {
  const certificate = folder.filesIn('signcerts').find(({ bytes }) => decodePem(bytes) !== undefined);
  const keys = [...parts].filter(([part]) => part.startsWith('keystore/')).map(([, file]) => file);
  if (certificate === undefined) return undefined;
  const cas = ['cacerts', 'intermediatecerts'].flatMap((name) => folder.filesIn(name));
  return { certificate: certificate.bytes, keys, cas: cas.map(({ bytes }) => bytes) };
}

const identityOf = ({ certificate, keys }: SignerFiles): FoundIdentity => ({
  place: 'MSP folder',
  certificate,
  ...(keys.length > 0 && { keys }),
});

/** A signer for a channel. */
export interface SigningFolder {
  /** The key of the folder. */
  readonly name: string;
  readonly mspid: string;
  readonly identity: SigningIdentity;
}

/**
 * The identity of a person in a channel.
 *
 * @param mspids the MSPs of the channel that accept the certificate
 * @throws TranslateError if it belongs to no MSP of the channel, or to several
 */
export async function signerOf(
  name: string,
  person: SignerFiles,
  mspids: readonly string[],
): Promise<SigningFolder> {
  const [mspid, ...others] = mspids;
  if (mspid === undefined || others.length > 0)
    throw new TranslateError(
      'BAD_KEY',
      `the certificate belongs to ${mspid === undefined ? 'no MSP' : 'several MSPs'} of the channel`,
    );
  return { name, mspid, identity: await findSigningIdentity({ ...person, mspid }) };
}

/** The common name of a certificate in PEM; empty if it cannot be read. */
function commonNameOf(pem: Uint8Array): string {
  const block = decodePem(pem);
  if (block === undefined) return '';
  return attempt(
    () => readCertificate(block.bytes).subject.commonName,
    () => '',
  );
}

/** The domain of an organisation, from the name of its CA: `org3.example.com` of `ca.org3.example.com`. */
const domainOf = (ca: string): string => ca.replace(/^(?:tls)?(?:root)?-?ca[.-]/i, '');

/** The usual MSP id for the domain of an organisation: `Org3MSP` for `org3.example.com`. It is a guess. */
export const guessedMspId = (domain: string): string => {
  const [name = ''] = domain.split('.');
  return /^[A-Za-z][\w-]*$/.test(name) ? `${name[0]!.toUpperCase()}${name.slice(1)}MSP` : '';
};
