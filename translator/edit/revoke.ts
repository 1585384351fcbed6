// Revokes certificates of an organisation, with a revocation list in its MSP.

import { is, requireTypes } from '../../proto/arguments.js';
import { decodePem, encodePem } from '../../core/common/certificates/pem.js';
import { attempt } from '../../proto/errors.js';
import { MspFabricMSPConfig, MspMSPConfig } from '../../proto/messages.js';
import { readMessage, replaceFields } from '../../proto/typed.js';
import {
  channelOf,
  pathOf,
  type Config,
  type ConfigGroup,
  type GroupPath,
  resultTypes,
} from '../channel/index.js';
import {
  isListOf,
  nameText,
  readPemCertificate,
  readRevocationList,
  setupChannelMsps,
  uniqueChain,
  type Certificate,
  type RevocationList,
  type Trust,
} from '../msp/index.js';
import { makeRevocationList, readSigningIdentity } from '../sign/index.js';
import { badEdit, type Edited, edited, named, unknownName } from './edited.js';
import { changeGroup, withValue } from './tree.js';

/** The source of the revocation: the list of the CA, in PEM or DER, or the private key of the CA (PEM), which signs a new list. */
export type RevokedBy = { readonly list: Uint8Array } | { readonly key: Uint8Array };

/** A file with its name in errors. */
export interface NamedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/**
 * Revokes certificates of an organisation, in all groups with its MSP, because the MSPs of one id must be equal. The new list replaces
 * the lists of the same CA whose certificates it contains.
 *
 * @param wanted the name of the organisation, or its MSP id
 * @param certificates PEM
 * @throws TranslateError BAD_EDIT, BAD_KEY, KEY_MISMATCH if Fabric would ignore the list, or a certificate is not of the organisation
 */
export async function revokeCertificates(
  config: Config,
  wanted: string,
  certificates: readonly NamedFile[],
  by: RevokedBy,
  now = new Date(),
): Promise<Edited> {
  requireTypes(
    { config, organization: wanted, certificates, by, now },
    {
      config: resultTypes.config,
      organization: is.text,
      certificates: is.list(is.record({ name: is.text, bytes: is.bytes })),
      by: is.record({ list: is.optional(is.bytes), key: is.optional(is.bytes) }),
      now: is.date,
    },
    'BAD_EDIT',
  );
  const { mspId, groups } = groupsOf(config, wanted);
  const trust = await trustOf(config, mspId, groups);
  const revoked = await Promise.all(certificates.map((file) => issued(file, mspId, trust)));
  const { list, bytes } = await newList(revoked, by, trust, now);
  const cas = [...trust.roots, ...trust.intermediates];
  if (!(await isListOf(list, cas)))
    throw badEdit(
      `the revocation list of ${nameText(list.issuer)} is not signed by a CA of ${mspId}, or has no authority key identifier of one: Fabric would ignore it`,
    );
  const missing = revoked.find(({ certificate: { serial } }) => !list.serials.has(serial));
  if (missing !== undefined)
    throw badEdit(
      `the revocation list does not contain the serial number ${hex(missing.certificate.serial)} of ${missing.name}`,
    );
  const root = groups.reduce(
    (group, names) => changeGroup(group, names, (each) => withList(each, list, bytes)),
    config.channelGroup,
  );
  return edited(
    config,
    root,
    ...revoked.map(
      ({ certificate: { serial, subject } }) =>
        `${nameText(subject)} of ${mspId} revoked, serial number ${hex(serial)}`,
    ),
    `the revocation list of ${nameText(list.issuer)} has ${list.serials.size} ${list.serials.size === 1 ? 'certificate' : 'certificates'}`,
  );
}

/** A serial number as OpenSSL prints it. */
const hex = (serial: bigint): string => {
  const digits = serial.toString(16).toUpperCase();
  return digits.length % 2 === 0 ? digits : `0${digits}`;
};

function groupsOf(
  config: Config,
  wanted: string,
): { readonly mspId: string; readonly groups: readonly GroupPath[] } {
  const { organizations } = channelOf(config);
  const found = organizations.filter(({ name, mspId }) => name === wanted || mspId === wanted);
  const [mspId, ...others] = [...new Set(found.map((each) => each.mspId))];
  if (found.length === 0)
    throw unknownName(
      'there is no organisation',
      wanted,
      organizations.map(({ name }) => name),
    );
  if (mspId === undefined || others.length > 0)
    throw badEdit(
      `the organisations ${JSON.stringify(wanted)} have several MSP ids, or none: give the MSP id`,
    );
  return {
    mspId,
    groups: organizations.filter((each) => each.mspId === mspId).map(({ names }) => names),
  };
}

async function trustOf(config: Config, mspId: string, groups: readonly GroupPath[]): Promise<Trust> {
  const { manager, faults } = await setupChannelMsps(config);
  const msp = manager.msps.get(mspId);
  if (msp !== undefined) return msp.trust;
  const paths = new Set(groups.map((names) => pathOf(...names)));
  const reasons = new Set(faults.flatMap(({ path, message }) => (paths.has(path) ? [message] : [])));
  throw badEdit(`the MSP ${mspId} is not usable: ${[...reasons].join('; ') || 'unknown type'}`);
}

/** A certificate of the organisation, and the CA that issued it. */
interface Issued {
  readonly name: string;
  readonly certificate: Certificate;
  readonly ca: Certificate;
}

async function issued({ name, bytes }: NamedFile, mspId: string, trust: Trust): Promise<Issued> {
  const isCertificate = decodePem(bytes)?.label === 'CERTIFICATE';
  const certificate = isCertificate ? named(name, () => readPemCertificate(bytes)) : undefined;
  if (certificate === undefined) throw badEdit(`${name} is not a certificate in PEM`);
  const chain = await attempt(
    async () => uniqueChain(certificate, trust),
    ({ message }): never => {
      throw badEdit(`${name} is not a certificate of ${mspId}: ${message}`);
    },
  );
  const ca = chain[1];
  if (ca === undefined) throw badEdit(`${name} is a root CA of ${mspId}: remove it from the MSP instead`);
  for (const { serials, ...list } of trust.revocationLists)
    if (serials.has(certificate.serial) && (await isListOf({ serials, ...list }, [ca])))
      throw badEdit(`${name} is revoked already, serial number ${hex(certificate.serial)}`);
  return { name, certificate, ca };
}

/** The list of the CA, or a new one with the certificates of its lists. */
async function newList(
  revoked: readonly Issued[],
  by: RevokedBy,
  trust: Trust,
  now: Date,
): Promise<{ readonly list: RevocationList; readonly bytes: Uint8Array }> {
  if ('list' in by) return { list: readRevocationList(by.list), bytes: by.list };
  const [{ ca } = { ca: undefined }, ...others] = revoked;
  if (ca === undefined) throw badEdit('there is no certificate to revoke');
  const other = others.find((each) => each.ca !== ca);
  if (other !== undefined)
    throw badEdit(
      `${other.name} is issued by ${nameText(other.ca.subject)}, ${revoked[0]!.name} by ${nameText(ca.subject)}: revoke the certificates of each CA on their own`,
    );
  const pem = new TextEncoder().encode(encodePem('CERTIFICATE', ca.raw));
  const { sign } = await readSigningIdentity({ mspid: '', certificate: pem, key: by.key });
  const serials = new Set(revoked.map(({ certificate }) => certificate.serial));
  for (const list of trust.revocationLists)
    if (await isListOf(list, [ca])) for (const serial of list.serials) serials.add(serial);
  const der = await makeRevocationList({ ca, sign, serials, now });
  return { list: readRevocationList(der), bytes: new TextEncoder().encode(encodePem('X509 CRL', der)) };
}

/** The group of an organisation with the list in its MSP. */
function withList(group: ConfigGroup, list: RevocationList, bytes: Uint8Array): ConfigGroup {
  const { value } = group.values.get('MSP')!;
  const { config: msp } = readMessage(MspMSPConfig, value);
  const others = readMessage(MspFabricMSPConfig, msp).revocationList.filter(
    (each) => !isReplaced(readRevocationList(each), list),
  );
  const config = replaceFields(MspFabricMSPConfig, msp, { revocationList: [...others, bytes] });
  return withValue(group, 'MSP', replaceFields(MspMSPConfig, value, { config }));
}

/** Whether a list is of the same CA, and all its certificates are in the new list. */
const isReplaced = (old: RevocationList, now: RevocationList): boolean =>
  old.authorityKeyId?.join() === now.authorityKeyId?.join() &&
  [...old.serials].every((serial) => now.serials.has(serial));
