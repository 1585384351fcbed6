// Compares what a review said with what a network lost: losses that no finding names, dangers that did not happen.

import type { Loss, Probe } from '../../translator/rehearse/losses.js';
import type { Finding } from '../../translator/review/index.js';

/** Where a finding says that something is lost. */
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

/** The probes that fail without a service; those of a service without a row are not tried here. */
const PROBES_OF: Readonly<Record<string, readonly Probe[]>> = {
  'read-blocks': ['fetch', 'height', 'approve', 'commit', 'process', 'start', 'update', 'order'],
  'submit-transactions': ['transaction', 'approve', 'commit'],
  'submit-config-updates': ['submit', 'update'],
  'accept-config-updates': ['update', 'order'],
  administer: ['update', 'approve', 'commit', 'fetch', 'submit'],
  'read-events': ['approve', 'commit'],
  'commit-chaincode': ['commit'],
  'approve-chaincode': ['approve', 'commit'],
  'define-chaincode': ['commit'],
  gossip: ['gossip'],
  'make-blocks': ['height', 'approve', 'commit', 'update', 'process', 'order', 'start', 'gossip'],
};

/** Services of orderers, without which nobody has the channel. */
const OF_ALL: ReadonlySet<string> = new Set(['accept-config-updates', 'make-blocks']);
/**
 * Of the resources of ACLs, these are used. `peer/Propose` does not decide about system chaincodes, such as that of the lifecycle
 * (core/endorser/endorser.go, `preProcess`).
 */
const USED_RESOURCES = /^(?:event\/FilteredBlock|_lifecycle\/CommitChaincodeDefinition)$/;
/** The roles in which these are tried. */
const TRIED_ROLES: Readonly<Record<string, readonly string[]>> = {
  'submit-transactions': ['client', 'admin'],
  'read-events': ['admin'],
  'commit-chaincode': ['admin'],
};

/**
 * Dangers that this laboratory cannot see, and why. They name no loss, and are never false.
 *
 * `gain`: somebody can do more. `later`: only after something that is not tried, such as a certificate that is renewed or a peer that was
 * offline. `other`: a service that is not tried.
 */
const NOT_SEEN_HERE: Readonly<Record<string, 'gain' | 'later' | 'other'>> = {
  'policy-weakened': 'gain',
  'service-gained': 'gain',
  'policy-always-satisfied': 'gain',
  'policy-not-compared': 'gain',
  'bft-without-v3': 'gain',
  'bft-switch-policy': 'gain',
  'msp-signing-identity': 'gain',
  'change-not-shown': 'gain',
  'msp-idemix': 'other',
  'msp-not-judged': 'other',
  'acl-policy-missing': 'other',
};

/** How long the orderers wait for a leader that fails: none fails here. */
const LEADER_TIMEOUT = /^leader_heartbeat_timeout /;

/** The policy of chaincodes that have no other one: no chaincode runs. */
const DEFAULT_ENDORSEMENT = '/Channel/Application/Endorsement';

/** All admins sign further updates: whether one of them counts is not tried. */
const isOfAdmins = ({ id, path }: Finding): boolean =>
  id === 'policy-foreign-msp' && path.endsWith('/Admins');

/** Certificates that do not exist yet. */
const ONLY_LATER = /for certificates that begin after /;

/** The organisation that the path of a finding is in; undefined for the channel and its sections. */
const organizationIn = (path: string | undefined): string | undefined =>
  /^\/Channel\/(?:Application|Orderer)\/(?<name>Org\dMSP|Renamed|OrdererOrg)(?:\/|$)/.exec(path ?? '')?.groups
    ?.name;

/** The MSP id of the organisation with a name; the groups of these networks have the names of their MSP ids, but for that of the orderers. */
const mspIdOf = (name: string): string => (name === 'OrdererOrg' ? 'OrdererMSP' : name);

/** Whether the loss of a finding is tried here. @returns its scopes, none if not */
export function scopesOf(finding: Finding): readonly Scope[] {
  const { id, path, data, text } = finding;
  if (id in NOT_SEEN_HERE || ONLY_LATER.test(text) || path === DEFAULT_ENDORSEMENT || isOfAdmins(finding))
    return [];
  if (id === 'bft-duration-long' && LEADER_TIMEOUT.test(text)) return [];
  if (id === 'service-lost') return serviceScopes(data);
  if (id === 'anchor-peers-removed') return [{ organizations: undefined, probes: new Set(['gossip']) }];
  const name = organizationIn(path ?? undefined);
  // Further updates change the group of each application organisation, and nothing else that it contains.
  if (id === 'mod-policy-missing')
    return path === `/Channel/Application/${name}`
      ? [{ organizations: new Set([name!]), probes: new Set(['update']) }]
      : [];
  if (name === undefined || name === 'OrdererOrg') return [EVERYTHING];
  return [{ organizations: new Set([mspIdOf(name)]), probes: undefined }];
}

const serviceScopes = ({ services = [] }: { services?: readonly AffectedService[] }): Scope[] =>
  services.flatMap(({ service, resources, actors }) => {
    const probes = PROBES_OF[service];
    const isUsed = resources.length === 0 || resources.some((each) => USED_RESOURCES.test(each));
    const roles = TRIED_ROLES[service];
    const tried = roles === undefined ? actors : actors.filter(({ role }) => roles.includes(role));
    if (probes === undefined || !isUsed || tried.length === 0) return [];
    const isOrderer = OF_ALL.has(service) || tried.some(({ role }) => role === 'orderer');
    if (isOrderer) return [EVERYTHING];
    const organizations = new Set(tried.flatMap((each) => each.organizations.map(mspIdOf)));
    return [{ organizations, probes: new Set(probes) }];
  });

/** Whose loss it is: the MSP ids of the people or nodes that failed; undefined: of all. */
function ownersOf({ probe, who }: Loss): readonly string[] | undefined {
  if (probe === 'order') return ['OrdererMSP'];
  const peer = /^peer(?<number>\d+)$/.exec(who)?.groups?.number;
  if (peer !== undefined) return probe === 'gossip' ? undefined : [`Org${peer}MSP`];
  if (who.startsWith('/Channel/Orderer')) return ['OrdererMSP'];
  // Everybody signs changes of the group of all.
  const name = organizationIn(who);
  if (name !== undefined) return [mspIdOf(name)];
  if (who.startsWith('orderer')) return ['OrdererMSP'];
  return who.endsWith('MSP') ? [who] : undefined;
}

const isIn = ({ organizations, probes }: Scope, loss: Loss): boolean => {
  if (probes !== undefined && !probes.has(loss.probe)) return false;
  const owners = ownersOf(loss);
  return (
    organizations === undefined || owners === undefined || owners.some((owner) => organizations.has(owner))
  );
};

/** Whether a finding names a loss. */
const namesLoss = (finding: Finding, loss: Loss): boolean =>
  scopesOf(finding).some((scope) => isIn(scope, loss));

/** Warnings say what happens too. The danger for a signer is not enough: an update that nobody has signed is reviewed too. */
const isNaming = ({ severity, id }: Finding): boolean =>
  (severity === 'danger' || severity === 'warning') && id !== 'signer-cut-off';

/** The verdict about what a network did. */
export interface Verdict {
  /** Losses that no finding names. */
  readonly notNamed: readonly Loss[];
  /** Dangers that did not happen. */
  readonly falseDangers: readonly Finding[];
  /** Dangers that this laboratory cannot see. */
  readonly notSeen: readonly Finding[];
}

/** Findings, and what was lost when their updates were in blocks. */
export interface Step {
  readonly findings: readonly Finding[];
  readonly losses: readonly Loss[];
}

/** Whether the findings of the last step name a loss, or it was there before that step. */
export const isNamed = (steps: readonly Step[], loss: Loss): boolean =>
  (steps.at(-1)?.findings ?? []).some((finding) => isNaming(finding) && namesLoss(finding, loss)) ||
  steps
    .slice(0, -1)
    .some(({ losses }) => losses.some(({ probe, who }) => probe === loss.probe && who === loss.who));

/** Judges the findings of updates that a network accepted. */
export function judge(steps: readonly Step[]): Verdict {
  const losses = steps.flatMap((step) => step.losses);
  const dangers = steps.flatMap(({ findings }) => findings.filter(({ severity }) => severity === 'danger'));
  // A definition that an organisation cannot approve is not committed.
  const isCommitTried = !losses.some(({ probe }) => probe === 'approve');
  const isTried = (finding: Finding): boolean =>
    scopesOf(finding).some(({ probes }) => isCommitTried || [...(probes ?? [])].join() !== 'commit');
  return {
    notNamed: steps.flatMap((step, index) =>
      step.losses.filter((loss) => !isNamed(steps.slice(0, index + 1), loss)),
    ),
    falseDangers: dangers.filter(
      (finding) => isTried(finding) && !losses.some((loss) => namesLoss(finding, loss)),
    ),
    notSeen: dangers.filter((finding) => !isTried(finding)),
  };
}
