// The actors of a channel: for each organisation a peer, a client, an admin and an orderer if its MSP gives these roles out, the admins
// that the MSP lists, and the identities that policies name.

import { limitCalls } from '../../core/common/flow/limit-calls.js';
import type { Channel, Organization, Section } from '../channel/index.js';
import {
  nameText,
  type Certificate,
  type NodeRole,
  type Identity,
  type Msp,
  certificateIn,
} from '../msp/index.js';
import { attempt } from '../../proto/errors.js';
import type { Signer } from '../policy/index.js';
import type { ChannelState } from './channel-state.js';
import { isIdemix, mspOf, sameOrganization } from './organizations.js';

/** An identity with a role, before and after an update. */
export interface Actor {
  readonly organization: Organization;
  readonly role: NodeRole;
  /** The CA that has issued its certificate, or the subject of a listed admin: `CN=ca.org1.example.com`. */
  readonly certificate: string;
  /** A policy names its certificate. */
  readonly isNamed: boolean;
  /** Its identity before, with the role; undefined for a new actor: of an added organisation, or with a certificate of the new MSP. */
  readonly before: Signer | undefined;
  /** Its identity after; the reason if it is none. */
  readonly after: Signer | ActorLoss;
  /** The reason that it does not have the role any more, in Fabric's words; undefined if it has. */
  readonly lostRole: string | undefined;
}

/** The reason that the identity of an actor does not count after an update. */
interface ActorLoss {
  /** `organization`: its MSP is not on the channel. `identity`: the MSP does not accept its certificate. */
  readonly kind: 'organization' | 'identity';
  /** The reason in Fabric's words. */
  readonly reason: string;
}

/** The number of organisations whose actors are found in parallel: each waits for the verification of certificates. */
const AT_ONCE = 4;

/** The roles that act for an organisation. */
const ROLES_OF = {
  Application: ['peer', 'client', 'admin'],
  Orderer: ['orderer', 'admin'],
} as const satisfies Readonly<Record<Section, readonly NodeRole[]>>;

/** The roles that replace a role if an MSP does not give it out: orderers have certificates of peers, for example. */
const INSTEAD: Readonly<Partial<Record<NodeRole, readonly NodeRole[]>>> = {
  orderer: ['peer', 'client'],
  client: ['peer'],
};

/**
 * The actors of a channel before and after an update: existing actors, with the certificates that their CAs issued before, and actors of
 * organisations and MSPs that the update adds.
 *
 * @param named the certificates of identities that policies name, by MSP id
 */
export async function actorsOf(
  before: ChannelState,
  after: ChannelState,
  named: NamedIdentities = new Map(),
): Promise<readonly Actor[]> {
  const added = after.channel.organizations.filter(
    (each) => sameOrganization(each, before.channel) === undefined,
  );
  const cache: People = { found: new Map(), named };
  const { call } = after;
  const limited = limitCalls(AT_ONCE);
  const found = await Promise.all([
    ...before.channel.organizations.map((organization) =>
      limited(async () => {
        await call.pause();
        return existing(organization, before, after, cache);
      }),
    ),
    ...added.map((organization) =>
      limited(async () => {
        await call.pause();
        return addedActors(organization, after, cache);
      }),
    ),
  ]);
  return found.flat();
}

/** Organisations without actors: their MSP is not set up, or no identity that it would accept is known. Without idemix organisations. */
export const organizationsWithout = (
  actors: readonly Actor[],
  { organizations }: Pick<Channel, 'organizations'>,
): readonly Organization[] => {
  const acting = new Set(actors.map(({ organization }) => organization.path));
  return organizations.filter((each) => !isIdemix(each) && !acting.has(each.path));
};

/** A person with a certificate of an MSP. `in` judges the person in an MSP, always alike in the same one. */
interface CertificateHolder {
  readonly role: NodeRole;
  readonly certificate: string;
  readonly isNamed: boolean;
  readonly in: (msp: Msp) => Promise<Identity | string>;
}

/** Certificates in PEM, by MSP id. */
export type NamedIdentities = ReadonlyMap<string, readonly Uint8Array[]>;

/** The members of each MSP, found once. */
interface People {
  readonly found: Map<Msp, Promise<readonly (CertificateHolder & { readonly own: Identity })[]>>;
  readonly named: NamedIdentities;
}

async function existing(
  organization: Organization,
  before: ChannelState,
  after: ChannelState,
  cache: People,
): Promise<Actor[]> {
  const { mspId = '', section } = organization;
  const [old, now] = [await mspNamed(mspId, before), await mspNamed(mspId, after)];
  if (old === undefined) return [];
  const people = (await peopleOf(organization, old, cache)).filter(({ role }) => acts(section, role));
  const later = sameOrganization(organization, after.channel);
  const brought = later === undefined || now === old ? [] : await addedActors(later, after, cache);
  const stay = await Promise.all(
    people.map(async ({ own, role, certificate, isNamed, in: inMsp }) => {
      const actor = { organization, role, certificate, isNamed, before: own, lostRole: undefined };
      if (now === undefined) return { ...actor, after: { kind: 'organization' as const, reason: '' } };
      if (now === old) return { ...actor, after: own };
      const identity = await inMsp(now);
      if (typeof identity === 'string')
        return { ...actor, after: { kind: 'identity' as const, reason: identity } };
      return { ...actor, ...judged(own, identity, role) };
    }),
  );
  // Admins that the new MSP lists, and identities that its new CAs issue.
  return [...stay, ...brought];
}

const mspNamed = async (mspid = '', { msps }: ChannelState): Promise<Msp | undefined> =>
  (await msps).manager.msps.get(mspid);

/** The identity after, unless it is not valid. A listed admin counts although it is not valid. */
function judged(before: Identity, after: Identity, role: NodeRole): Pick<Actor, 'after' | 'lostRole'> {
  const principal = { kind: 'role', mspid: before.mspid, role } as const;
  const lostRole = before.satisfies(principal) ? after.principalError(principal) : undefined;
  const { validationError } = after;
  const isLost = validationError !== undefined && (role !== 'admin' || lostRole !== undefined);
  return {
    after: isLost ? { kind: 'identity', reason: validationError } : after,
    lostRole,
  };
}

async function addedActors(organization: Organization, state: ChannelState, cache: People): Promise<Actor[]> {
  const msp = await mspNamed(organization.mspId, state);
  if (msp === undefined) return [];
  const people = await peopleOf(organization, msp, cache);
  return people
    .filter(({ role }) => acts(organization.section, role))
    .map(({ own, role, certificate, isNamed }) => ({
      organization,
      role,
      certificate,
      isNamed,
      before: undefined,
      after: own,
      lostRole: undefined,
    }));
}

const acts = (section: Section, role: NodeRole): boolean =>
  (ROLES_OF[section] as readonly NodeRole[]).includes(role);

function peopleOf(
  organization: Organization,
  msp: Msp,
  cache: People,
): Promise<readonly (CertificateHolder & { readonly own: Identity })[]> {
  let found = cache.found.get(msp);
  if (found === undefined) {
    found = makePeople(msp, mspOf(organization)?.admins ?? [], cache.named.get(msp.name) ?? []);
    cache.found.set(msp, found);
  }
  return found;
}

/** The members of an MSP that have their role in it. */
async function makePeople(
  msp: Msp,
  admins: readonly Uint8Array[],
  named: readonly Uint8Array[],
): Promise<readonly (CertificateHolder & { readonly own: Identity })[]> {
  const { roots, intermediates, innerNodes } = msp.trust;
  const cas = [...roots, ...intermediates].filter((ca) => !innerNodes.includes(ca));
  const issued = (await Promise.all(cas.map(async (ca) => issuedBy(ca, msp)))).flat();
  const others = (await Promise.all(named.map(async (pem) => namedPeople(pem, msp)))).flat();
  const people = [...issued, ...admins.map((pem) => personWith(pem, 'admin', false)), ...others];
  const found = await Promise.all(people.map(async (person) => ({ ...person, own: await person.in(msp) })));
  return found.filter(
    (person): person is CertificateHolder & { own: Identity } =>
      typeof person.own !== 'string' && isGood(person.own, person.role),
  );
}

const isGood = (identity: Identity, role: NodeRole): boolean =>
  role === 'admin'
    ? identity.satisfies({ kind: 'role', mspid: identity.mspid, role })
    : identity.validationError === undefined;

function issuedBy(ca: Certificate, { rules }: Msp): CertificateHolder[] {
  const issuers = new Map<Msp, ReturnType<Msp['issuer']>>();
  const issuerIn = (msp: Msp): ReturnType<Msp['issuer']> => {
    const found = issuers.get(msp) ?? msp.issuer(ca);
    issuers.set(msp, found);
    return found;
  };
  return (['peer', 'client', 'admin', 'orderer'] as const).map((role) => {
    // Usual CAs write the unit of the role, whether or not the MSP checks it.
    const units = rules.hasNodeOus ? unitsFor(role, rules.nodeOus) : [role];
    return {
      role,
      certificate: nameText(ca.subject),
      isNamed: false,
      in: async (msp) => (await issuerIn(msp))(units),
    };
  });
}

function unitsFor(role: NodeRole, units: Msp['rules']['nodeOus']): string[] {
  const found = [role, ...(INSTEAD[role] ?? [])].find((each) => units.has(each));
  return found === undefined ? [] : [units.get(found)!.unit];
}

/** A person that a policy names, in the roles of the certificate; without NodeOUs in each role except the admin. */
async function namedPeople(pem: Uint8Array, msp: Msp): Promise<CertificateHolder[]> {
  const identity = await attempt(
    async () => msp.identityOf(pem),
    () => undefined,
  );
  if (identity === undefined) return [];
  const roles = (['peer', 'client', 'admin', 'orderer'] as const).filter((role) =>
    msp.rules.hasNodeOus || role === 'admin'
      ? identity.satisfies({ kind: 'role', mspid: msp.name, role })
      : true,
  );
  return roles.map((role) => personWith(pem, role, true));
}

const personWith = (pem: Uint8Array, role: NodeRole, isNamed: boolean): CertificateHolder => {
  const certificate = certificateIn(pem);
  return {
    role,
    certificate: certificate === undefined ? '' : nameText(certificate.subject),
    isNamed,
    in: async (msp) =>
      attempt(
        async () => msp.identityOf(pem),
        ({ message }) => message,
      ),
  };
};

/** Whether the identity of an actor counts after the update. */
export const isSigner = (after: Signer | ActorLoss): after is Signer => 'satisfies' in after;
