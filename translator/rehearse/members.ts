// Who can act for an organisation of a copied channel: the users, and the certificates of nodes, from the CAs of its MSP.

import { sameBytes, toHex, toLatin1 } from '../../proto/bytes.js';
import type { Config, Organization } from '../channel/index.js';
import {
  type Certificate,
  certificateIn,
  decodePem,
  type Msp,
  type MspConfig,
  type NodeRole,
  type UnitConfig,
} from '../msp/index.js';
import { ChannelState, mspOf } from '../state/index.js';
import type { CopiedPerson, KeyPair, MspFiles } from './copy.js';
import type { Pki } from './pki.js';

/** An organisation under one config: its MSP, and the configuration of the MSP in the channel and in the copy. */
export interface Member {
  readonly mspId: string;
  readonly msp: Msp;
  readonly original: MspConfig;
  readonly copy: MspConfig;
}

/** The organisations of a config whose MSPs are set up, by MSP id. Idemix organisations and invalid MSPs have no members. */
export async function membersOf(original: Config, copy: Config): Promise<ReadonlyMap<string, Member>> {
  const state = new ChannelState(original);
  const { manager } = await state.msps;
  const copies = new ChannelState(copy).channel.organizations;
  const members = new Map<string, Member>();
  const { orderer, application } = state.channel;
  // Orderer organisations first: their admins may submit in maintenance mode too.
  for (const organization of [...orderer.organizations, ...application.organizations]) {
    const { mspId = '' } = organization;
    const [msp, own, copied] = [
      manager.msps.get(mspId),
      mspOf(organization),
      mspIn(copies, organization.path),
    ];
    if (msp !== undefined && own !== undefined && copied !== undefined && !members.has(mspId))
      members.set(mspId, { mspId, msp, original: own, copy: copied });
  }
  return members;
}

const mspIn = (organizations: readonly Organization[], path: string): MspConfig | undefined => {
  const found = organizations.find((each) => each.path === path);
  return found && mspOf(found);
};

/** The roles whose certificates are used if an MSP gives out none for a role: orderers have certificates of peers, for example. */
const INSTEAD: Readonly<Record<NodeRole, readonly NodeRole[]>> = {
  orderer: ['orderer', 'peer', 'client'],
  client: ['client', 'peer'],
  peer: ['peer'],
  admin: ['admin'],
};

/** The CAs of an organisation that issue certificates of users and nodes. */
const issuersOf = ({ msp: { trust } }: Member): readonly Certificate[] =>
  [...trust.roots, ...trust.intermediates].filter((each) => !trust.innerNodes.includes(each));

/** Whether a CA of an organisation has the name of the issuer of a certificate. */
export const isIssuedBy = (member: Member, { issuer }: Certificate): boolean =>
  issuersOf(member).some(({ subject }) => sameBytes(subject.raw, issuer.raw));

/** The certificate of a member with a role; undefined if the MSP accepts none. @param commonName the name in a new certificate */
export async function certificateFor(
  member: Member,
  role: NodeRole,
  commonName: string,
  pki: Pki,
  now: Date,
): Promise<KeyPair | undefined> {
  for (const issuer of issuersOf(member)) {
    const pair = await issuedBy(issuer, member, role, commonName, pki, now);
    if (pair !== undefined) return pair;
  }
  return role === 'admin' ? listedAdmin(member.original, pki) : undefined;
}

/** The certificate of one CA of a member with a role; undefined if the MSP does not accept it. */
async function issuedBy(
  issuer: Certificate,
  { msp }: Member,
  role: NodeRole,
  commonName: string,
  pki: Pki,
  now: Date,
): Promise<KeyPair | undefined> {
  const { rules } = msp;
  const found = INSTEAD[role].find((each) => rules.nodeOus.has(each));
  const roleUnits = !rules.hasNodeOus ? [role] : found === undefined ? [] : [rules.nodeOus.get(found)!.unit];
  const [required] = rules.requiredUnits;
  const units = [...roleUnits, ...(required === undefined ? [] : [required.unit])];
  const principal = { kind: 'role', mspid: msp.name, role } as const;
  const identity = (await msp.issuer(issuer))(units);
  return identity.validationError === undefined && (role !== 'admin' || identity.satisfies(principal))
    ? pki.issue({ issuer, commonName, units, isTls: false }, now)
    : undefined;
}

const listedAdmin = ({ admins }: MspConfig, pki: Pki): KeyPair | undefined =>
  admins
    .map((pem) => decodePem(pem))
    .map((block) => block && pki.pairOf(block.bytes))
    .find((pair) => pair !== undefined);

/** More CAs of an organisation have no users in a copy. */
const MAX_CAS = 3;

/** The users of a copy. */
export interface Users {
  readonly people: readonly CopiedPerson[];
  /** CAs without users: sentences without a period. */
  readonly notes: readonly string[];
}

/**
 * An admin and a client of each CA of each organisation, as far as its MSP accepts such.
 *
 * @param steps the organisations before the updates, and after each one
 */
export async function usersOf(
  steps: readonly ReadonlyMap<string, Member>[],
  pki: Pki,
  now: Date,
): Promise<Users> {
  const people: CopiedPerson[] = [];
  const notes: string[] = [];
  const known = new Set<string>();
  for (const member of steps.flatMap((each) => [...each.values()])) {
    const { mspId } = member;
    const own = (): CopiedPerson[] => people.filter((each) => each.mspId === mspId);
    for (const issuer of issuersOf(member)) {
      const key = `${mspId} ${caOf(issuer, issuer.publicKey.spki)}`;
      if (known.has(key)) continue;
      known.add(key);
      const name = issuer.subject.commonName;
      const cas = new Set(own().map(({ ca }) => ca)).size;
      const found = cas < MAX_CAS ? await usersOfCa(issuer, `${mspId} (CA ${name})`, member, pki, now) : [];
      people.push(...found);
      if (found.length === 0 && cas > 0)
        notes.push(`no users of ${mspId} have certificates of its CA ${name}`);
    }
    if (own().some(({ role }) => role === 'admin')) continue;
    const pair = listedAdmin(member.original, pki);
    if (pair !== undefined)
      people.push({ name: mspId, mspId, role: 'admin', ca: undefined, pair, msp: mspFilesOf(member.copy) });
  }
  return { people: people.map((each) => withShortName(each, people)), notes };
}

/** The users of the only CA of an organisation have its MSP id as their name. */
const withShortName = (person: CopiedPerson, people: readonly CopiedPerson[]): CopiedPerson =>
  people.every(({ mspId, ca }) => mspId !== person.mspId || ca === person.ca || ca === undefined)
    ? { ...person, name: person.mspId }
    : person;

async function usersOfCa(
  issuer: Certificate,
  name: string,
  member: Member,
  pki: Pki,
  now: Date,
): Promise<CopiedPerson[]> {
  const { mspId } = member;
  const msp = mspFilesOf(member.copy);
  const ca = caOf(issuer, pki.publicKeyOf(issuer));
  const users = await Promise.all(
    (['admin', 'client'] as const).map(async (role) => {
      const pair = await issuedBy(issuer, member, role, `${role} of ${mspId}`, pki, now);
      return pair === undefined ? [] : [{ name, mspId, role, ca, pair, msp }];
    }),
  );
  return users.flat();
}

/** A CA by its key and its name: a renewed one is the same. */
const caOf = ({ subject }: Certificate, key: Uint8Array): string => `${toHex(key)} ${toHex(subject.raw)}`;

/** Whether a user belongs to an organisation of a config: the organisation has the CA. */
export const belongsTo = (
  { mspId, ca }: Pick<CopiedPerson, 'mspId' | 'ca'>,
  organizations: readonly Organization[],
): boolean => organizations.some((each) => each.mspId === mspId && (ca === undefined || hasCa(each, ca)));

function hasCa(organization: Organization, ca: string): boolean {
  const { roots = [], intermediates = [] } = mspOf(organization) ?? {};
  return [...roots, ...intermediates].some((pem) => {
    const certificate = certificateIn(pem);
    return certificate !== undefined && caOf(certificate, certificate.publicKey.spki) === ca;
  });
}

/** A certificate for TLS connections of a node of an organisation, from its first TLS CA that issues certificates of nodes. */
export function tlsPairFor({ original }: Member, commonName: string, pki: Pki, now: Date): Promise<KeyPair> {
  const cas = [...original.tlsIntermediates, ...original.tlsRoots].flatMap((pem): Certificate[] => {
    const ca = certificateIn(pem);
    return ca === undefined ? [] : [ca];
  });
  return pki.issue({ issuer: cas[0], commonName, units: [], isTls: true }, now);
}

/** The files of the MSP directory of an organisation: what its MSP in the channel has, without revocation lists. */
export function mspFilesOf(msp: MspConfig): MspFiles {
  const files = new Map<string, string>();
  const add = (directory: string, pems: readonly Uint8Array[]): void => {
    for (const [index, pem] of pems.entries()) files.set(`${directory}/${index + 1}.pem`, toLatin1(pem));
  };
  add('cacerts', msp.roots);
  add('intermediatecerts', msp.intermediates);
  add('tlscacerts', msp.tlsRoots);
  add('tlsintermediatecerts', msp.tlsIntermediates);
  add('admincerts', msp.admins);
  const unit = ({ certificate, unit: name }: UnitConfig, file: string): object => {
    if (certificate.length > 0) files.set(`units/${file}.pem`, toLatin1(certificate));
    return {
      OrganizationalUnitIdentifier: name,
      ...(certificate.length > 0 && { Certificate: `units/${file}.pem` }),
    };
  };
  const roles = [...(msp.nodeOus?.roles ?? [])].map(([role, identifier]) => [
    `${role[0]!.toUpperCase()}${role.slice(1)}OUIdentifier`,
    unit(identifier, role),
  ]);
  const config = {
    OrganizationalUnitIdentifiers: msp.units.map((each, index) => unit(each, String(index + 1))),
    ...(msp.nodeOus !== undefined && {
      NodeOUs: { Enable: msp.nodeOus.isEnabled, ...Object.fromEntries(roles) },
    }),
  };
  // JSON is YAML.
  return files.set('config.yaml', `${JSON.stringify(config, null, 2)}\n`);
}
