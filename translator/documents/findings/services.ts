// Findings about what actors of a channel lose and gain.

import { shortList } from '../lists.js';
import { quoted, words, type FindingWords } from './words.js';

/** Actors that lose or gain a service. */
export interface AffectedActors {
  readonly role: keyof typeof ROLES;
  /** The first of their organisations. */
  readonly organizations: readonly string[];
  /** How many organisations. */
  readonly count: number;
  /** Only those with certificates of these CAs, if others of the same organisations are not affected. */
  readonly issuers: readonly string[];
}

/** A service, and who loses or gains it. */
export interface AffectedService {
  readonly service: keyof typeof SERVICES;
  /** The resources of ACLs, such as `event/Block`; empty for a service without one. */
  readonly resources: readonly string[];
  readonly actors: readonly AffectedActors[];
}

/** A policy on the way from the policy of a service to the one that is not satisfied. */
export interface PolicyStep {
  readonly policy: string;
  /** The policy in words. */
  readonly text: string;
  /** Of an implicit meta policy: how many groups must satisfy theirs, and of how many one signature does; null for a signature policy. */
  readonly needed: number | null;
  readonly satisfied: number | null;
}

const ROLES = { peer: 'peers', client: 'clients', admin: 'admins', orderer: 'orderers' } as const;

const SERVICES = {
  'read-blocks': 'read blocks',
  'read-blocks-in-maintenance': 'read blocks in maintenance',
  'submit-transactions': 'submit transactions',
  'submit-config-updates': 'submit config updates',
  'submit-config-updates-in-maintenance': 'submit config updates in maintenance',
  'accept-config-updates': 'accept config updates',
  'accept-config-updates-in-maintenance': 'accept config updates in maintenance',
  administer: 'act as its admins',
  propose: 'propose transactions',
  'call-chaincode': 'call a chaincode from another one',
  'read-events': 'receive events',
  'query-ledger': 'query blocks and transactions',
  'query-config': 'query the config',
  'query-chaincode': 'query chaincode definitions',
  'query-previous-chaincode': 'query chaincodes of the previous lifecycle',
  'commit-chaincode': 'commit chaincode definitions',
  'approve-chaincode': 'endorse approvals of chaincode definitions',
  gossip: 'exchange data with other peers (gossip)',
  discover: 'discover peers and endorsers',
  agree: 'agree on blocks (BFT)',
  'define-chaincode': 'endorse chaincode definitions',
  endorse: 'endorse by the default policy',
  'make-blocks': 'make blocks that peers take',
} as const;

/** What a service is, in words. */
export const serviceWords = (service: keyof typeof SERVICES): string => SERVICES[service];

/** The actors with a role, in words: `peers`. */
export const roleWords = (role: keyof typeof ROLES): string => ROLES[role];

/** How many organisations and services are named. */
const SHOWN = 4;

/** Actors in words: `peers of Org1 and Org2`. */
export const actorWords = ({ role, organizations, count, issuers }: AffectedActors): string => {
  const shown = organizations.slice(0, SHOWN);
  const rest = count - shown.length;
  const names = joined(rest > 0 ? [...shown, `${rest} more organisations`] : shown);
  return `${ROLES[role]} of ${names}${issuers.length === 0 ? '' : ` with certificates of ${shortList(issuers)}`}`;
};

/** Who can, or cannot, do what: services of the same actors are one part. */
function sentence(services: readonly AffectedService[], verb: string, hasResources = false): string {
  const byActors = new Map<string, string[]>();
  for (const { service, resources, actors } of services) {
    const who = joined(actors.map(actorWords), actors.length, ', ');
    const what = `${SERVICES[service]}${hasResources && resources.length > 0 ? ` (${shortList(resources)})` : ''}`;
    const known = byActors.get(who) ?? [];
    // Who cannot do it at all cannot do it in maintenance.
    if (!known.some((each) => what === `${each} in maintenance`)) byActors.set(who, [...known, what]);
  }
  return [...byActors].map(([who, what]) => `${who} ${verb} ${joined(what, SHOWN)}`).join('; ');
}

function joined(items: readonly string[], most = items.length, last = ' and '): string {
  const shown = items.length > most + 1 ? [...items.slice(0, most), `${items.length - most} more`] : items;
  return [shown.slice(0, -1).join(', '), ...shown.slice(-1)].filter((part) => part !== '').join(last);
}

/** What actors lose, and why. */
export interface ServiceLoss {
  readonly cause: 'organization' | 'identity' | 'acl' | 'policy-missing' | 'policy';
  readonly services: readonly AffectedService[];
  /** Of `identity`: why the MSP does not accept their certificates, as Fabric words it; else empty. */
  readonly reason: string;
  readonly steps: readonly PolicyStep[];
}

function causeWords({ cause, reason, steps }: ServiceLoss): string {
  if (cause === 'organization') return 'no organisation of the channel has their MSP any more';
  if (cause === 'identity') return `their certificates do not count any more (${reason})`;
  const [first, last] = [steps[0], steps.at(-1)];
  const way = (to: string): string =>
    first === undefined || first.policy === to ? to : `${first.policy} depends on ${to}, which`;
  const acl = cause === 'acl' ? 'an ACL decides, and ' : '';
  if (last === undefined || cause === 'policy-missing')
    return `${acl}${first === undefined ? 'the policy' : `a policy that ${first.policy} depends on`} is missing`;
  if (last.needed === null) return `${acl}${way(last.policy)} requires ${last.text}`;
  return `${acl}${way(last.policy)} needs ${last.needed} of its groups, ${last.text}, and one signature satisfies ${last.satisfied ?? 0}`;
}

/** What actors lose by the cause that a finding is about. */
export interface Losing {
  /** Undefined if nobody loses a service by it. */
  readonly losses?: readonly AffectedService[];
}

/** The end of the text of a finding: `; after this update, peers of Org2 cannot read blocks`. */
export const lossText = ({ losses = [] }: Losing): string =>
  losses.length === 0 ? '' : `; after this update, ${sentence(losses, 'cannot')}`;

const LOSS_TODO = {
  organization: 'check that nobody needs these nodes and clients on the channel any more',
  identity: 'give them other certificates first',
  acl: 'let the ACL name a policy that one signature of each of them satisfies',
  'policy-missing': 'keep the policy',
  policy: 'let one signature of each of them satisfy the policy, for example ANY Readers or ANY Writers',
} as const;

export const SERVICE_FINDINGS = {
  'service-lost': (data: ServiceLoss) =>
    words(
      `${sentence(data.services, 'cannot', data.cause === 'acl')} after this update: ${causeWords(data)}`,
      LOSS_TODO[data.cause],
    ),
  'service-gained': ({
    services,
    owner,
  }: {
    services: readonly AffectedService[];
    /** The organisation whose own policy others satisfy; null if the policy is not that of one organisation. */
    owner: string | null;
  }) =>
    words(
      owner === null
        ? `${sentence(services, 'can')} after this update, and could not before`
        : `others satisfy a policy that belongs to ${owner}: ${sentence(services, 'can')} for it`,
      'check that they should',
    ),
  'block-validation-quorum': ({
    valid,
    quorum,
    consenters,
  }: {
    valid: number;
    quorum: number;
    consenters: readonly { readonly consenter: string; readonly reason: string }[];
  }) =>
    words(
      `only ${valid} of the consenters have identities that the MSPs accept, and a block needs ${quorum}: peers take no block after this update (${shortList(
        consenters.map(({ consenter, reason }) => `${quoted(consenter)}: ${reason}`),
        '; ',
        2,
      )})`,
      'keep the MSP as it is until the consenters have other identities in the config',
    ),
} as const satisfies Readonly<Record<string, (data: never) => FindingWords>>;
