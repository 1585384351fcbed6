// Findings about organisations and policies.

import { day, quoted, words, type FindingWords } from './words.js';

/** A certificate of an MSP that has expired, or soon will have. */
export interface Expiry {
  readonly subject: string;
  readonly notAfter: string;
  readonly isExpired: boolean;
}

const expiryWords =
  (what: string) =>
  ({ subject, notAfter, isExpired }: Expiry): FindingWords =>
    words(
      `the ${what} certificate ${subject} ${isExpired ? 'expired' : 'expires'} on ${day(notAfter)}`,
      'replace it by one that is valid',
    );

/** What an organisation loses: its nodes read and send blocks with these identities. */
export interface Loss {
  readonly organization: string;
  readonly section: 'Application' | 'Orderer';
}

const lossOf = ({ organization, section }: Loss): string =>
  section === 'Orderer'
    ? `admins and nodes of ${organization} are cut off`
    : `peers of ${organization} stop at the block before, and its admins are cut off`;

/** The organisational unit of a role; null if it has none. Equal ones differ in their CA. */
export interface UnitChange {
  readonly role: string;
  readonly before: string | null;
  readonly after: string | null;
}

const unitText = (unit: string | null): string => (unit === null ? 'none' : quoted(unit));

const unitWords = ({ role, before, after }: UnitChange): string =>
  before === after ? `${role}: another CA` : `${role}: ${unitText(before)} → ${unitText(after)}`;

/** What happens without a policy that Fabric uses. */
const WITHOUT_POLICY = {
  Admins: 'nobody can change this part of the channel again',
  Writers: 'nobody can submit to this part of the channel',
  Readers: 'peers and clients cannot read blocks of this part of the channel',
  BlockValidation: 'orderers stop at their next start',
  Endorsement: 'chaincodes that use it cannot be endorsed',
  LifecycleEndorsement:
    'a member of a majority of the organisations is enough for chaincode definitions then',
} as const;

/** What a person or node loses with its certificate. */
const REVOKED = {
  signer: 'who cannot read or change the channel any more',
  consenter: 'whose signatures on blocks do not count any more',
  orderer: 'whose signatures on blocks do not count any more',
  tls: 'which stays in use: Fabric looks at revocation lists for identities only',
} as const;

/** What a revocation list revokes that is unknown to a review. */
export interface Revocation extends Loss {
  /** At most 12, in hexadecimal. */
  readonly serials: readonly string[];
  /** How many there are. */
  readonly count: number;
  /** Whether all orderers of the channel are known by their certificates, so that the serial numbers are of others. */
  readonly areOrderersKnown: boolean;
}

/** `serial numbers 01, 02 and 3 more` */
const serialsText = ({ serials, count }: Revocation): string =>
  `serial ${count === 1 ? 'number' : 'numbers'} ${serials.join(', ')}${count > serials.length ? ` and ${count - serials.length} more` : ''}`;

/** What a revocation list leaves unknown: `whether serial number 0A is that of an orderer of OrdererOrg`. */
export const unknownRevocation = (data: Revocation): string =>
  `whether ${serialsText(data)} ${data.count === 1 ? 'is that of' : 'are those of'} ${data.section === 'Orderer' ? 'an orderer' : 'a peer'} of ${data.organization}`;

/** An identity with a revoked certificate: `OrdererMSP CN=Admin@example.com`. */
export interface RevokedIdentity {
  readonly identity: string;
  readonly use: keyof typeof REVOKED;
}

/** How many groups without a sub-policy are named. */
const GROUPS_SHOWN = 5;

export const ORGANIZATIONS = {
  'msp-invalid': ({ group }: { group: string }) =>
    words(
      `the MSP of ${group} cannot be set up`,
      'correct the MSP; its certificates must be CAs, PEM, and in one chain',
    ),
  'msp-id-empty': ({ organization }: { organization: string }) =>
    words(`the MSP of the organisation ${organization} has no id`, 'set the name of the MSP'),
  'msp-id-changed': (data: { organization: string; before: string; after: string }) =>
    words(
      `the MSP id of the organisation ${data.organization} changes from ${data.before} to ${data.after}`,
      'keep the MSP id, or remove the organisation and add a new one with another group name',
    ),
  'msp-id-shared': ({ organizations, mspid }: { organizations: readonly [string, string]; mspid: string }) =>
    words(
      `the organisations ${organizations.join(' and ')} have the same MSP id ${mspid}: one signature counts for both`,
      'give each organisation its own MSP id',
    ),
  'msp-id-invalid-in-policies': ({ mspid }: { mspid: string }) =>
    words(
      `the policy language cannot name the MSP id ${quoted(mspid)}; chaincode policies cannot include this organisation`,
      'use an MSP id of letters, digits, dots and dashes',
    ),
  'msp-idemix': ({ organization }: { organization: string }) =>
    words(
      `the MSP of ${organization} is of the type idemix: a review does not know whether orderers accept it and who belongs to it`,
      'submit the update to a copy of the channel first',
    ),
  'msp-not-judged': ({ reason }: { reason: string }) =>
    words(
      `${reason}: whether orderers accept it, and who belongs to it, is unknown`,
      'ask the organisation why it has so many CAs of one name',
    ),
  'msp-hash-family': ({ family }: { family: string }) =>
    words(
      `with the hash family ${quoted(family)}, no signature of this organisation counts any more: programs sign with SHA-256`,
      'set signature_hash_family to SHA2',
    ),
  'msp-signing-identity': () =>
    words(
      'the MSP contains the signing identity of a node with its private key: everybody on the channel can read it',
      'remove signing_identity, and replace the key',
    ),
  'msp-ca-shared': ({
    subject,
    organizations,
  }: {
    subject: string;
    organizations: readonly [string, string];
  }) =>
    words(
      `the CA ${subject} is a root CA of ${organizations.join(' and of ')}: its identities belong to both`,
      'give each organisation its own CA',
    ),
  'msp-ca-removed': (data: Loss & { subject: string; removed: number; isAll: boolean }) =>
    words(
      `the CA ${data.subject}${data.removed > 1 ? ` and ${data.removed - 1} more are` : ' is'} removed: identities that it has issued do not count any more; ${data.isAll ? lossOf(data) : `check who of ${data.organization} has one`}`,
      'keep the previous CA beside the new one until all nodes and admins have new certificates',
    ),
  'msp-ca-foreign': ({
    organization,
    subject,
    owners,
    roles,
  }: {
    organization: string;
    subject: string;
    /** The MSP ids of the organisations that have the CA already. */
    owners: readonly string[];
    roles: readonly string[];
  }) =>
    words(
      `the new CA ${subject} ${owners.length > 0 ? `is one of ${owners.join(' and ')}` : `has another name than the CAs of ${organization} so far`}, and its certificates get roles of ${organization} (${roles.join(', ')}): whoever has its key can act for ${organization}`,
      `check that ${organization} has the key of this CA, or let each unit of NodeOUs name the previous CA`,
    ),
  'msp-ca-expired': expiryWords('CA'),
  'msp-tls-ca-expired': expiryWords('TLS CA'),
  'msp-tls-ca-missing': () =>
    words(
      'the MSP has no TLS CA: TLS connections to the nodes of the organisation fail',
      'add the TLS CA certificates to the MSP',
    ),
  'msp-admin-expired': expiryWords('admin'),
  'msp-admin-revoked': ({ subject }: { subject: string }) =>
    words(
      `the admin certificate ${subject} is in a revocation list, but counts as an admin because the MSP lists it`,
      'remove it from the admins of the MSP',
    ),
  'msp-node-ous-enabled': ({ organization }: { organization: string }) =>
    words(
      `NodeOUs are turned on for ${organization}: identities without exactly one of their units do not count any more`,
      'check that the certificates of all nodes, admins and clients have the unit of their role',
    ),
  'msp-node-ou-changed': ({ units }: { units: readonly UnitChange[] }) =>
    words(
      `the organisational units of roles change (${units.map(unitWords).join(', ')}): certificates with the previous unit lose the role or have another one`,
      'keep the units, or give all nodes, admins and clients new certificates first',
    ),
  'msp-unit-required': (data: Loss & { units: readonly (string | null)[] }) =>
    words(
      `only identities with the unit ${data.units.map(unitText).join(' or ')} count for ${data.organization} from now on: ${lossOf(data)} if their certificates do not have it`,
      'leave organizational_unit_identifiers empty, or give all nodes and admins certificates with the unit first',
    ),
  'msp-revocation-list': (data: Loss) =>
    words(
      `a revocation list has no authorityKeyIdentifier: no identity of ${data.organization} counts any more; ${lossOf(data)}`,
      'make the list again with an authorityKeyIdentifier',
    ),

  'msp-revoked': ({ revoked }: { revoked: readonly RevokedIdentity[] }) =>
    words(
      `a revocation list revokes certificates that are in use: ${revoked.map(({ identity, use }) => `${identity} (${REVOKED[use]})`).join(', ')}`,
      'give the nodes and people new certificates first',
    ),
  'msp-revocation': (data: Revocation) => {
    const { count, section, organization, areOrderersKnown } = data;
    const [it, its] = count === 1 ? ['it', 'a certificate'] : ['one of them', 'certificates'];
    const harm =
      section === 'Orderer'
        ? `if ${it} is that of an orderer, peers do not take the blocks that it signs`
        : `if ${it} is that of a peer, it stops at the block before`;
    const why =
      section === 'Orderer' && !areOrderersKnown
        ? '; the config of a Raft channel does not name their certificates'
        : '';
    return words(
      `a revocation list revokes ${its} of ${organization} that this review does not know, ${serialsText(data)}: ${harm}${why}`,
      'compare with the certificates of the nodes: openssl x509 -noout -serial -in FILE',
    );
  },
  'msp-tls-ca-removed': (data: { organization: string; subject: string; removed: number }) =>
    words(
      `the TLS CA ${data.subject}${data.removed > 1 ? ` and ${data.removed - 1} more are` : ' is'} removed: others cannot connect to nodes of ${data.organization} that have TLS certificates of it`,
      'keep the previous TLS CA beside the new one until all nodes have new TLS certificates',
    ),

  'mod-policy-missing': ({ modPolicy, others }: { modPolicy: string; others: number }) =>
    words(
      `the mod_policy ${quoted(modPolicy)} names no policy: nobody can ever change this element again${others === 0 ? '' : `, nor ${others} other ${others === 1 ? 'element' : 'elements'} of its group`}`,
      'set mod_policy to a policy that exists, for example Admins or /Channel/Application/Admins, or keep that policy',
    ),
  'msp-ca-without-roles': ({ subject }: { subject: string }) =>
    words(
      `certificates of the CA ${subject} have no role: each unit of NodeOUs names another CA`,
      'remove the lines Certificate of NodeOUs in config.yaml, also in the MSP directories of nodes; then the units of all CAs of the MSP count',
    ),
  'policy-invalid': () =>
    words('the policy does not compile', 'set the policy again, for example from the policy language'),
  'policy-removed': ({ policy }: { policy: keyof typeof WITHOUT_POLICY }) =>
    words(`the policy ${policy} is removed: ${WITHOUT_POLICY[policy]}`, 'keep the policy'),
  'policy-unsatisfiable': ({ policy }: { policy: string }) =>
    words(
      `nobody can satisfy this policy, ${policy}: no action that requires it is possible any more`,
      'correct the policy, or the organisations and MSP ids that it names',
    ),
  'policy-always-satisfied': ({ policy, hasNoGroups }: { policy: string; hasNoGroups: boolean }) =>
    words(
      `anybody satisfies this policy, ${policy}, without any signature`,
      hasNoGroups
        ? 'keep an organisation in the group, or use a signature policy'
        : 'require at least one signature',
    ),
  'policy-unknown-msp': ({ mspid }: { mspid: string }) =>
    words(
      `the policy names the MSP id ${quoted(mspid)}, which no organisation of the channel has`,
      'correct the MSP id; upper and lower case differ',
    ),
  'policy-foreign-msp': ({ mspid, named }: { mspid: string; named: readonly string[] }) =>
    words(
      `the policy of the organisation with the MSP id ${mspid} names only ${named.join(', ')}: its own people cannot satisfy it`,
      `name ${mspid} in the policy`,
    ),
  'policy-weakened': (data: WeakenedData) => words(weakenedText(data), CHECK_PEOPLE),
  'policy-not-compared': ({ of }: { of: 'element' | 'mod-policy' }) =>
    words(
      `${WEAKENED[of]} has too many combinations of signatures to compare it with the previous one`,
      CHECK_PEOPLE,
    ),
  'control-not-compared': ({ sets }: { sets: string }) =>
    words(
      `${sets} sets of organisations were not compared: one of them may control more than before`,
      CHECK_PEOPLE,
    ),
  'sub-policy-missing': ({ groups, policy }: { groups: readonly string[]; policy: string }) =>
    words(
      `the policy counts ${groups.slice(0, GROUPS_SHOWN).join(', ')}${groups.length > GROUPS_SHOWN ? ` and ${groups.length - GROUPS_SHOWN} more` : ''}, which ${groups.length === 1 ? 'has' : 'have'} no policy ${quoted(policy)} and can never satisfy it`,
      'add the policy to each organisation, or name a policy that they have',
    ),
} as const satisfies Readonly<Record<string, (data: never) => FindingWords>>;

const WEAKENED = { element: 'this policy', 'mod-policy': 'its new mod_policy' } as const;

/** Who gains control, of what, and how. */
export interface WeakenedData {
  readonly of: 'element' | 'mod-policy' | 'control';
  /** In words. */
  readonly signers: string;
  /** The elements that they can change now: paths, the first of them. */
  readonly elements: readonly string[];
  /** How many elements they are. */
  readonly count: number;
  /** The updates that lead to control, and the policy that each of them needs: paths. */
  readonly steps: readonly { readonly element: string; readonly policy: string }[];
}

const ELEMENTS_SHOWN = 3;
const STEPS_SHOWN = 5;

function weakenedText({ of, signers, elements, count, steps }: WeakenedData): string {
  const shown = elements.slice(0, ELEMENTS_SHOWN);
  const more = count - shown.length;
  const what = `${shown.join(', ')}${more === 0 ? '' : ` and ${more} more`}`;
  const chain = steps.length < 2 && of !== 'control' ? '' : stepsText(steps);
  if (of === 'control') return `${signers} alone can change what needed others before: ${what}${chain}`;
  const consequence = of === 'element' && count > 0 ? `, and with it change ${what}` : '';
  return `fewer or other signatures than before satisfy ${WEAKENED[of]}: ${signers} alone${consequence}${chain}`;
}

function stepsText(steps: WeakenedData['steps']): string {
  if (steps.length === 0) return '';
  const shown = steps.slice(0, STEPS_SHOWN).map(({ element, policy }) => `${element} (${policy})`);
  const more = steps.length - shown.length;
  return `; the updates, and the policy that each needs: ${shown.join(', then ')}${more === 0 ? '' : `, then ${more} more`}`;
}

/** Which policy is weaker: the element itself, or the one that decides about it. */

const CHECK_PEOPLE = 'check that these people alone may decide; otherwise keep the policy as it was';
