// Compares losses with the review of the update: losses that no finding names, and dangers that did not happen.

import type { Organization } from '../channel/index.js';
import type { Finding } from '../review/index.js';
import type { CopiedNode, CopiedPerson } from './copy.js';
import type { Loss, Probe } from './losses.js';

/** Where a finding reports a loss. */
interface Scope {
  /** MSP ids; undefined: everybody on the channel. */
  readonly organizations: ReadonlySet<string> | undefined;
  /** Undefined: all. */
  readonly probes: ReadonlySet<Probe> | undefined;
}

const EVERYTHING: Scope = { organizations: undefined, probes: undefined };

interface AffectedService {
  readonly service: string;
  readonly resources: readonly string[];
  readonly actors: readonly { readonly role: string; readonly organizations: readonly string[] }[];
}

/** The probes that fail without a service; those of a service without a row are not tried. */
const PROBES_OF: ReadonlyMap<string, readonly Probe[]> = new Map<string, readonly Probe[]>([
  ['read-blocks', ['fetch', 'height', 'approve', 'commit', 'process', 'start', 'update', 'order']],
  ['submit-transactions', ['transaction', 'approve', 'commit']],
  ['submit-config-updates', ['submit', 'update']],
  ['accept-config-updates', ['update', 'order']],
  ['administer', ['update', 'approve', 'commit', 'fetch', 'submit']],
  ['read-events', ['approve', 'commit']],
  ['commit-chaincode', ['commit']],
  ['approve-chaincode', ['approve', 'commit']],
  ['define-chaincode', ['commit']],
  ['gossip', ['gossip']],
  ['make-blocks', ['height', 'approve', 'commit', 'update', 'process', 'order', 'start', 'gossip']],
]);

/** Services of orderers, without which nobody has the channel. */
const OF_ALL: ReadonlySet<string> = new Set(['accept-config-updates', 'make-blocks']);
/**
 * Of the resources of ACLs, these are used. `peer/Propose` does not decide about system chaincodes, such as the one of the lifecycle
 * (core/endorser/endorser.go, `preProcess`).
 */
const USED_RESOURCES = /^(?:event\/FilteredBlock|_lifecycle\/CommitChaincodeDefinition)$/;
/** The roles in which these are tried. */
const TRIED_ROLES: ReadonlyMap<string, readonly string[]> = new Map([
  ['submit-transactions', ['client', 'admin']],
  ['read-events', ['admin']],
  ['commit-chaincode', ['admin']],
]);

/** Dangers that nothing tries: somebody can do more, or the services are not tried. */
const NOT_TRIED: ReadonlySet<string> = new Set([
  'policy-weakened',
  'service-gained',
  'policy-always-satisfied',
  'policy-not-compared',
  'bft-without-v3',
  'bft-switch-policy',
  'msp-signing-identity',
  'msp-ca-foreign',
  'change-not-shown',
  'msp-idemix',
  'msp-not-judged',
]);

/** How long the orderers wait for a leader that fails: none fails. */
const LEADER_TIMEOUT = /^leader_heartbeat_timeout /;
/** The policy of chaincodes that have no other one: no chaincode runs. */
const DEFAULT_ENDORSEMENT = '/Channel/Application/Endorsement';
/** Certificates that do not exist yet. */
const ONLY_LATER = /for certificates that begin after /;

/** The members of the channel before the update, by which names in findings and losses are understood. */
export interface Membership {
  readonly organizations: readonly Pick<Organization, 'name' | 'path' | 'section' | 'mspId'>[];
  readonly nodes: readonly Pick<CopiedNode, 'name' | 'kind' | 'mspId'>[];
  /** Users whose names are no MSP ids. @default none */
  readonly people?: readonly Pick<CopiedPerson, 'name' | 'mspId'>[];
  /** Ids of further dangers that nothing tries, because of what the nodes are. @default none */
  readonly notTried?: ReadonlySet<string>;
}

/** What became of the findings of a review, and of the losses. */
export interface Compared {
  readonly foretold: readonly Loss[];
  readonly notForetold: readonly Loss[];
  /** Dangers that were tried and did not happen. */
  readonly notSeen: readonly Finding[];
  /** Dangers that nothing tried. */
  readonly notTried: readonly Finding[];
}

/** Compares the findings of a review with the losses after its update. */
export function compareLosses(
  findings: readonly Finding[],
  losses: readonly Loss[],
  members: Membership,
): Compared {
  const dangers = findings.filter(({ severity }) => severity === 'danger');
  // A definition that an organisation cannot approve is not committed.
  const isCommitTried = !losses.some(({ probe }) => probe === 'approve');
  const isTried = (finding: Finding): boolean =>
    scopesOf(finding, members).some(({ probes }) => isCommitTried || [...(probes ?? [])].join() !== 'commit');
  return {
    foretold: losses.filter((loss) => isForetold(findings, loss, members)),
    notForetold: losses.filter((loss) => !isForetold(findings, loss, members)),
    notSeen: dangers.filter(
      (finding) => isTried(finding) && !losses.some((loss) => namesLoss(finding, loss, members)),
    ),
    notTried: dangers.filter((finding) => !isTried(finding)),
  };
}

/** Whether a finding names a loss. Warnings count too. */
export const isForetold = (findings: readonly Finding[], loss: Loss, members: Membership): boolean =>
  findings.some(
    (finding) =>
      (finding.severity === 'danger' || finding.severity === 'warning') &&
      // That one signer does not count any more is no reason for another loss.
      finding.id !== 'signer-cut-off' &&
      namesLoss(finding, loss, members),
  );

const namesLoss = (finding: Finding, loss: Loss, members: Membership): boolean =>
  scopesOf(finding, members).some((scope) => isIn(scope, loss, members));

/** What a finding reports as lost; nothing if that is not tried. */
function scopesOf(finding: Finding, members: Membership): readonly Scope[] {
  const { id, path, data, text } = finding;
  const isOfAdmins = id === 'policy-foreign-msp' && path.endsWith('/Admins');
  if (NOT_TRIED.has(id) || members.notTried?.has(id) === true) return [];
  if (ONLY_LATER.test(text) || path === DEFAULT_ENDORSEMENT || isOfAdmins) return [];
  if (id === 'bft-duration-long' && LEADER_TIMEOUT.test(text)) return [];
  if (id === 'service-lost') return serviceScopes(data, members);
  if (id === 'acl-policy-missing')
    return serviceScopes(
      { services: (data as { losses?: readonly AffectedService[] }).losses ?? [] },
      members,
    );
  if (id === 'anchor-peers-removed') return [{ organizations: undefined, probes: new Set(['gossip']) }];
  const owner = members.organizations.find((each) => path === each.path || path.startsWith(`${each.path}/`));
  if (id === 'mod-policy-missing')
    return owner !== undefined && owner.path === path && owner.section === 'Application'
      ? [{ organizations: new Set([owner.mspId ?? '']), probes: new Set(['update']) }]
      : [];
  if (owner === undefined || owner.section === 'Orderer') return [EVERYTHING];
  return [{ organizations: new Set([owner.mspId ?? '']), probes: undefined }];
}

const serviceScopes = (
  { services = [] }: { services?: readonly AffectedService[] },
  members: Membership,
): Scope[] =>
  services.flatMap(({ service, resources, actors }) => {
    const probes = PROBES_OF.get(service);
    const isUsed = resources.length === 0 || resources.some((each) => USED_RESOURCES.test(each));
    const roles = TRIED_ROLES.get(service);
    const tried = roles === undefined ? actors : actors.filter(({ role }) => roles.includes(role));
    if (probes === undefined || !isUsed || tried.length === 0) return [];
    const isOrderer = OF_ALL.has(service) || tried.some(({ role }) => role === 'orderer');
    if (isOrderer) return [EVERYTHING];
    const names = new Set(tried.flatMap(({ organizations }) => organizations));
    const ids = members.organizations.filter(
      ({ name, section }) => names.has(name) || names.has(`${section}/${name}`),
    );
    return [{ organizations: new Set(ids.map(({ mspId = '' }) => mspId)), probes: new Set(probes) }];
  });

/** The MSP ids of those whose loss it is; undefined: everybody. */
function ownersOf(
  { probe, who }: Loss,
  { nodes, organizations, people = [] }: Membership,
): readonly string[] | undefined {
  if (probe === 'order' || who === '/Channel/Orderer')
    return organizations.flatMap(({ section, mspId = '' }) => (section === 'Orderer' ? [mspId] : []));
  const node = nodes.find(({ name }) => name === who);
  if (node !== undefined) return node.kind === 'peer' && probe === 'gossip' ? undefined : [node.mspId];
  if (organizations.some(({ mspId }) => mspId === who)) return [who];
  const person = people.find(({ name }) => name === who);
  if (person !== undefined) return [person.mspId];
  const owner = organizations.find(({ path }) => path === who);
  return owner === undefined ? undefined : [owner.mspId ?? ''];
}

function isIn({ organizations, probes }: Scope, loss: Loss, members: Membership): boolean {
  if (probes !== undefined && !probes.has(loss.probe)) return false;
  const owners = ownersOf(loss, members);
  return (
    organizations === undefined || owners === undefined || owners.some((each) => organizations.has(each))
  );
}
