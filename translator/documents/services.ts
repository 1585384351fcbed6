// Services and the actors that use them, in words.

import { appendTo, groupBy } from '../../core/common/group-by.js';
import { shortList } from './lists.js';

/** Actors that lose or gain a service. */
export interface AffectedActors {
  readonly role: keyof typeof ROLES;
  /** The first organisations of the actors. */
  readonly organizations: readonly string[];
  /** The number of all organisations. */
  readonly count: number;
  /** Only actors with certificates of these CAs, if others of the same organisations are not affected. */
  readonly issuers: readonly string[];
}

/** A service, and the actors that lose or gain it. */
export interface AffectedService {
  readonly service: keyof typeof SERVICES;
  /** The resources of ACLs, such as `event/Block`; empty for a service without one. */
  readonly resources: readonly string[];
  readonly actors: readonly AffectedActors[];
}

const ROLES = { peer: 'peers', client: 'clients', admin: 'admins', orderer: 'orderers' } as const;

/** The services; the ones that a channel needs most are first. */
const SERVICES = {
  'make-blocks': 'make blocks that peers take',
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
} as const;

/** The services that actors have only in maintenance, and the same services at other times. */
const IN_MAINTENANCE: Readonly<Partial<Record<keyof typeof SERVICES, keyof typeof SERVICES>>> = {
  'read-blocks-in-maintenance': 'read-blocks',
  'submit-config-updates-in-maintenance': 'submit-config-updates',
  'accept-config-updates-in-maintenance': 'accept-config-updates',
};

/** Whether actors have a service only in maintenance. */
export const isOfMaintenance = (service: keyof typeof SERVICES): boolean =>
  IN_MAINTENANCE[service] !== undefined;

/** A service in words. */
export const serviceWords = (service: keyof typeof SERVICES): string => SERVICES[service];

/** The actors with a role, in words: `peers`. */
export const roleWords = (role: keyof typeof ROLES): string => ROLES[role];

/** The maximum number of organisations and services in a text. */
const SHOWN = 4;

/** Actors in words: `peers of Org1 and Org2`. */
export const actorWords = ({ role, organizations, count, issuers }: AffectedActors): string => {
  const shown = organizations.slice(0, SHOWN);
  const rest = count - shown.length;
  const names = joined(rest > 0 ? [...shown, `${rest} more organisations`] : shown);
  return `${ROLES[role]} of ${names}${issuers.length === 0 ? '' : ` with certificates of ${shortList(issuers)}`}`;
};

/** The actors that can, or cannot, use services: services of the same actors are one part. */
export function serviceSentence(
  services: readonly AffectedService[],
  verb: string,
  hasResources = false,
): string {
  const byActors = new Map<string, { service: keyof typeof SERVICES; what: string }[]>();
  for (const { service, resources, actors } of services) {
    const who = joined(actors.map(actorWords), actors.length, ', ');
    const what = `${SERVICES[service]}${hasResources && resources.length > 0 ? ` (${shortList(resources)})` : ''}`;
    // Actors without the service do not have it in maintenance either.
    const usual = IN_MAINTENANCE[service];
    if (byActors.get(who)?.some((each) => each.service === usual) !== true)
      appendTo(byActors, who, { service, what });
  }
  const parts = [...byActors].map(([who, same]) => {
    const all = same.map(({ what }) => what);
    return `${who} ${verb} ${joined(all, SHOWN)}`;
  });
  return parts.join('; ');
}

/** The most important of the services and who cannot, or can, use it: `peers and admins of Org1 cannot read blocks or use 3 other services`. */
export function servicesInShort(services: readonly AffectedService[], verb: string): string {
  const order = Object.keys(SERVICES);
  const sorted = services.toSorted((one, other) => order.indexOf(one.service) - order.indexOf(other.service));
  const [first] = sorted;
  if (first === undefined) return '';
  const actors = groupBy(first.actors, ({ organizations, count }) =>
    count === 1 ? organizations.join() : `${count} organisations`,
  );
  const who = [...actors].map(([of, same]) => `${joined(same.map(({ role }) => ROLES[role]))} of ${of}`);
  const more = sorted.length - 1;
  const rest =
    more === 0
      ? ''
      : ` ${verb === 'cannot' ? 'or' : 'and'} use ${more} other service${more === 1 ? '' : 's'}`;
  return `${joined(who)} ${verb} ${SERVICES[first.service]}${rest}`;
}

function joined(items: readonly string[], most = items.length, last = ' and '): string {
  const shown = items.length > most + 1 ? [...items.slice(0, most), `${items.length - most} more`] : items;
  return [shown.slice(0, -1).join(', '), ...shown.slice(-1)].filter((part) => part !== '').join(last);
}
