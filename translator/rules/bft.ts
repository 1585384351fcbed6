// The consenters of a BFT channel and its policy BlockValidation (Fabric's orderer/consensus/smartbft/configverifier.go).

import { groupBy } from '../../core/common/group-by.js';
import { sameBytes } from '../../proto/bytes.js';
import {
  type BftEntry,
  type Channel,
  type ConfigGroup,
  type Policy,
  bftQuorum,
  blockValidationPolicy,
  consentersOf,
  valueOf,
} from '../channel/index.js';
import { type FindingWords, quoted, shortList, words } from '../documents/index.js';
import { type MspManager, certificateIn } from '../msp/index.js';
import type { ChannelState } from '../state/index.js';
import { type RawFinding, defineCheck, defineRule } from './rule.js';

/** The number of identities that BlockValidation must require; null if the policy is missing. */
export interface BlockValidationProblem {
  readonly required: { readonly quorum: number; readonly consenters: number } | null;
}

const blockValidationWords = ({ required }: BlockValidationProblem): FindingWords =>
  words(
    required === null
      ? 'the policy BlockValidation is missing'
      : `BlockValidation must require ${required.quorum} of the ${required.consenters} identities of the consenters, in the order of Orderers`,
    'set BlockValidation in the same update so that it fits the consenters',
  );

const bftBlockValidation = defineRule({
  id: 'bft-block-validation',
  severity: 'refused',
  meaning: 'BlockValidation does not match the BFT consenters',
  words: blockValidationWords,
});

const bftSwitchPolicy = defineRule({
  id: 'bft-switch-policy',
  severity: 'danger',
  meaning: 'after a switch to BFT, BlockValidation does not match the consenters',
  words: (data: BlockValidationProblem) => {
    const { text, todo } = blockValidationWords(data);
    return words(
      `${text}: until then each orderer alone can make blocks that all accept, and orderers refuse every other update`,
      todo,
    );
  },
});

const bftConsentersMissing = defineRule({
  id: 'bft-consenters-missing',
  severity: ['refused', 'danger'],
  meaning: 'a BFT channel has no value Orderers',
  words: () => words('the value Orderers with the BFT consenters is missing', 'set the value Orderers'),
});

const bftIdZero = defineRule({
  id: 'bft-id-zero',
  severity: 'danger',
  meaning: 'a BFT consenter has the id 0',
  words: () =>
    words(
      'a consenter has the id 0, which is not permitted: the orderers stop when they apply it, and again at each start',
      'give the consenter an id of 1 or more',
      'a consenter has the id 0: the orderers stop when they apply it',
    ),
});

const bftIdDuplicate = defineRule({
  id: 'bft-id-duplicate',
  severity: 'danger',
  meaning: 'two BFT consenters have the same id',
  words: ({ consenter }: { consenter: number }) =>
    words(
      `two consenters have the id ${consenter}: the orderers die when they apply it, and again at each start`,
      'give each consenter its own id',
      `two consenters have the id ${consenter}: the orderers die when they apply it`,
    ),
});

const bftMspUnknown = defineRule({
  id: 'bft-msp-unknown',
  severity: 'danger',
  subjects: ({ consenters }) => consenters.map(String),
  meaning: 'a BFT consenter has an MSP id that no organisation has',
  words: ({ consenters, mspid }: { consenters: readonly number[]; mspid: string }) =>
    words(
      consenters.length === 1
        ? `the consenter ${consenters[0]!} has the MSP id ${quoted(mspid)}, which no organisation of the channel has: its signatures do not count`
        : `the consenters ${shortList(consenters.map(String))} have the MSP id ${quoted(mspid)}, which no organisation of the channel has: their signatures do not count`,
      'set the MSP id of the orderer organisation',
    ),
});

const bftCertificate = defineRule({
  id: 'bft-certificate',
  severity: 'danger',
  subjects: ({ consenters, certificate }) => consenters.map((id) => `${certificate} ${id}`),
  meaning: 'BFT consenters have a certificate that cannot be decoded',
  words: ({ consenters, certificate }: { consenters: readonly number[]; certificate: string }) =>
    words(
      consenters.length === 1
        ? `the ${certificate} of the consenter ${consenters[0]!} is not a certificate: it cannot take part`
        : `the ${certificate} of the consenters ${shortList(consenters.map(String))} is not a certificate: they cannot take part`,
      'set it to a certificate in PEM',
    ),
});

/** Consenters with identities that their MSP does not accept, for one reason. */
export interface InvalidIdentities {
  /** Their addresses, `host:port`. */
  readonly consenters: readonly string[];
  readonly mspid: string;
  readonly reason: string;
  /** The paths of the MSP. */
  readonly msps: readonly string[];
}

const bftIdentityInvalid = defineRule({
  id: 'bft-identity-invalid',
  severity: 'danger',
  subjects: ({ consenters }) => consenters,
  meaning: 'the MSP of a BFT consenter does not accept its identity',
  words: ({ consenters, mspid, reason }: InvalidIdentities) =>
    consenters.length === 1
      ? words(
          `the MSP ${quoted(mspid)} does not accept the identity of the consenter ${consenters[0]!} (${reason}): its signatures do not count, and it cannot take part`,
          'set the certificate of the orderer that a CA of its MSP has issued',
          `the MSP ${quoted(mspid)} does not accept the identity of the consenter ${consenters[0]!}: it cannot take part`,
        )
      : words(
          `the MSP ${quoted(mspid)} does not accept the identities of the consenters ${shortList(consenters)} (${reason}): their signatures do not count, and they cannot take part`,
          'set the certificates of the orderers that a CA of their MSP has issued',
          `the MSP ${quoted(mspid)} does not accept the identities of ${consenters.length} consenters: they cannot take part`,
        ),
});

const PATH = '/Channel/Orderer';
/** The value with the consenters. */
const CONSENTERS = `${PATH}/Orderers`;

/** A fault of BlockValidation that a BFT orderer finds at each config update. */
interface PolicyFault {
  readonly path: string;
  /** Fabric's text, which it sends with the status SERVICE_UNAVAILABLE and without a prefix. */
  readonly text: string;
  /** Undefined without consenters. */
  readonly data?: BlockValidationProblem;
}

/** Returns the fault of BlockValidation or the consenters that makes a BFT orderer refuse each config update; undefined for none. */
export function blockValidationFault(orderer: ConfigGroup): PolicyFault | undefined {
  const mapping = valueOf(orderer, 'orderer', 'Orderers')?.consenterMapping;
  if (mapping === undefined) return { path: CONSENTERS, text: "no values in 'Orderer' group" };
  const path = `${PATH}/BlockValidation`;
  const entry = orderer.policies.get('BlockValidation');
  if (entry === undefined) {
    const text =
      orderer.policies.size === 0
        ? "empty policies in 'Orderer' group"
        : "block validation policy is not found in the policies of 'Orderer' group";
    return { path, text, data: { required: null } };
  }
  if (samePolicy(entry.policy, blockValidationPolicy(mapping))) return undefined;
  const required = { quorum: bftQuorum(mapping.length).quorum, consenters: mapping.length };
  return { path, text: 'block validation policy should be a signature policy: …', data: { required } };
}

const samePolicy = (actual: Policy | undefined, expected: Policy): boolean =>
  actual !== undefined &&
  actual.type === expected.type &&
  (actual.unknown ?? []).length === 0 &&
  sameBytes(actual.value, expected.value);

/** The policy, for an update. In a config by itself orderers load any consenters and BlockValidation: see `bftPolicyOfConfig`. */
export const bftPolicy = defineCheck({
  needs: 'proposal',
  rules: [bftConsentersMissing, bftBlockValidation],
  find({ before, after }) {
    const { group } = after.channel.orderer;
    const fault = before.channel.orderer.isBft && group !== undefined && blockValidationFault(group);
    if (fault === false || fault === undefined) return [];
    const { path, text, data } = fault;
    return [
      data === undefined
        ? bftConsentersMissing.refused(text, path, {})
        : bftBlockValidation.refused(text, path, data),
    ];
  },
});

function loadedFault({ channel: { orderer } }: ChannelState): PolicyFault | undefined {
  return orderer.isBft && orderer.group !== undefined ? blockValidationFault(orderer.group) : undefined;
}

/**
 * BlockValidation that does not fit after a switch to BFT: the maintenance filters do not check it (Fabric's
 * orderer/common/msgprocessor/maintenancefilter.go), and each later update is refused until it fits.
 */
export const bftPolicyAfterSwitch = defineCheck({
  needs: 'update',
  rules: [bftSwitchPolicy],
  find({ before, after }) {
    const fault = before.channel.orderer.isBft ? undefined : loadedFault(after);
    return fault?.data === undefined ? [] : [bftSwitchPolicy.at(fault.path, fault.data)];
  },
});

/** The same in a config by itself, and the lack of consenters. */
export const bftPolicyOfConfig = defineCheck({
  needs: 'config',
  rules: [bftConsentersMissing, bftSwitchPolicy],
  find(state) {
    const fault = loadedFault(state);
    if (fault === undefined) return [];
    const { path, data } = fault;
    return [
      data === undefined ? bftConsentersMissing.at(path, {}, 'danger') : bftSwitchPolicy.at(path, data),
    ];
  },
});

/** The consenters: ids, MSPs and certificates. */
export const bftConsenters = defineCheck({
  needs: 'config',
  rules: [bftIdDuplicate, bftMspUnknown, bftCertificate, bftIdentityInvalid, bftIdZero],
  async find(state) {
    const { channel, msps } = state;
    const { manager } = await msps;
    const all = consentersOf(channel).filter((each) => each.identity !== undefined);
    return [
      ...duplicateIds(all),
      ...unknownMsps(all, channel),
      ...unreadableCertificates(all),
      ...(await invalidIdentities(state, manager)),
      ...zeroIds(all),
    ];
  },
});

/** Identities that their MSP does not accept (internal/peer/gossip/mcs.go, `VerifyBlock`); unknown MSPs and unreadable certificates have other findings. */
async function invalidIdentities(
  { blockSigners, channel }: ChannelState,
  { msps }: MspManager,
): Promise<RawFinding[]> {
  const invalid = (await blockSigners)?.invalid ?? [];
  const judged = invalid.filter(({ isReadable, mspid }) => isReadable && msps.has(mspid));
  const groups = groupBy(judged, ({ mspid, reason }) => JSON.stringify([mspid, reason]));
  return [...groups.values()].map((same) => {
    const { mspid, reason } = same[0];
    const paths = channel.organizations.flatMap(({ path, mspId }) => (mspId === mspid ? `${path}/MSP` : []));
    const consenters = same.map(({ consenter }) => consenter);
    return bftIdentityInvalid.at(CONSENTERS, { consenters, mspid, reason, msps: paths });
  });
}

/** orderer/consensus/smartbft/util/util.go: `node id 0 which is not permitted`. */
function zeroIds(consenters: readonly BftEntry[]): RawFinding[] {
  if (consenters.every(({ id }) => id !== 0)) return [];
  return [bftIdZero.at(CONSENTERS, {})];
}

function duplicateIds(consenters: readonly BftEntry[]): RawFinding[] {
  const seen = new Set<number>();
  const twice = new Set<number>();
  for (const { id } of consenters) (seen.has(id) ? twice : seen).add(id);
  return [...twice].map((id) => bftIdDuplicate.at(CONSENTERS, { consenter: id }));
}

/** One finding for each MSP id. An MSP that cannot be set up has another one. */
function unknownMsps(consenters: readonly BftEntry[], { organizations }: Channel): RawFinding[] {
  const known = new Set(organizations.map(({ mspId }) => mspId));
  const unknown = groupBy(
    consenters.filter(({ mspId }) => !known.has(mspId)),
    ({ mspId }) => mspId,
  );
  return [...unknown].map(([mspid, same]) =>
    bftMspUnknown.at(CONSENTERS, { consenters: same.map(({ id }) => id), mspid }),
  );
}

/** One finding for each use of certificates. */
function unreadableCertificates(consenters: readonly BftEntry[]): RawFinding[] {
  const uses = [
    ['identity', ({ identity }: BftEntry) => identity],
    ['client TLS certificate', ({ clientTlsCert }: BftEntry) => clientTlsCert],
    ['server TLS certificate', ({ serverTlsCert }: BftEntry) => serverTlsCert],
  ] as const;
  return uses.flatMap(([certificate, pemOf]) => {
    const unreadable = consenters.filter((each) => certificateIn(pemOf(each)) === undefined);
    return unreadable.length === 0
      ? []
      : [bftCertificate.at(CONSENTERS, { consenters: unreadable.map(({ id }) => id), certificate })];
  });
}
