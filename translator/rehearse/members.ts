// Who can act for an organisation of a copied channel: the users, and the certificates of nodes, from the CAs of its MSP.

import { toLatin1 } from '../../proto/bytes.js';
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

/** The certificate of a member with a role; undefined if the MSP accepts none. @param commonName the name in a new certificate */
export async function certificateFor(
  { msp, original }: Member,
  role: NodeRole,
  commonName: string,
  pki: Pki,
  now: Date,
): Promise<KeyPair | undefined> {
  const { rules, trust } = msp;
  const found = INSTEAD[role].find((each) => rules.nodeOus.has(each));
  const roleUnits = !rules.hasNodeOus ? [role] : found === undefined ? [] : [rules.nodeOus.get(found)!.unit];
  const [required] = rules.requiredUnits;
  const units = [...roleUnits, ...(required === undefined ? [] : [required.unit])];
  const principal = { kind: 'role', mspid: msp.name, role } as const;
  for (const issuer of [...trust.roots, ...trust.intermediates]) {
    if (trust.innerNodes.includes(issuer)) continue;
    const identity = (await msp.issuer(issuer))(units);
    if (identity.validationError === undefined && (role !== 'admin' || identity.satisfies(principal)))
      return pki.issue({ issuer, commonName, units, isTls: false }, now);
  }
  return role === 'admin' ? listedAdmin(original, pki) : undefined;
}

const listedAdmin = ({ admins }: MspConfig, pki: Pki): KeyPair | undefined =>
  admins
    .map((pem) => decodePem(pem))
    .map((block) => block && pki.pairOf(block.bytes))
    .find((pair) => pair !== undefined);

/** An admin and a client of an organisation, as far as its MSP has such. */
export async function peopleOf(member: Member, pki: Pki, now: Date): Promise<CopiedPerson[]> {
  const msp = mspFilesOf(member.copy);
  const { mspId } = member;
  const people = await Promise.all(
    (['admin', 'client'] as const).map(async (role) => {
      const pair = await certificateFor(member, role, `${role} of ${mspId}`, pki, now);
      return pair === undefined ? [] : [{ mspId, role, pair, msp }];
    }),
  );
  return people.flat();
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
