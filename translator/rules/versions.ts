// Verdicts that depend on the version of Fabric: releases judge certificates by the version of Go that they are built with, and have
// different BFT consensus.

import { groupBy } from '../../core/common/group-by.js';
import { attempt } from '../../proto/errors.js';
import { type BftVersion, smartBftFaults, smartBftOptions } from '../channel/index.js';
import { words } from '../documents/index.js';
import {
  type GoVersion,
  type Rules,
  dependsOnGo,
  readSerializedIdentity,
  releasesText,
} from '../msp/index.js';
import { type ChannelState, consenterNodes, mspOf } from '../state/index.js';
import type { Facts } from './facts/gather.js';
import { type RawFinding, defineRule, wordsOf } from './rule.js';

/** A verdict of some releases of Fabric, but not of all. */
interface VersionVerdict {
  /** Such as `2.5.10 to 2.5.12, 3.0`. */
  readonly releases: string;
  readonly findings: readonly string[];
}

const verdictsText = (verdicts: readonly VersionVerdict[]): string =>
  verdicts
    .map(
      ({ releases, findings }) =>
        `${releases}: ${findings.length === 0 ? 'no such finding' : findings.join(', ')}`,
    )
    .join('; ');

const dependsOnVersion = defineRule({
  id: 'depends-on-version',
  severity: 'warning',
  meaning: 'releases of Fabric, by one of which the nodes run, judge certificates differently',
  words: ({ verdicts }: { verdicts: readonly VersionVerdict[] }) =>
    words(
      `what nodes do depends on their version of Fabric: ${verdictsText(verdicts)}`,
      'say which versions of Fabric all nodes run, for example 2.5.16,3.1.5, or change what is named here',
      'what nodes do depends on their version of Fabric',
    ),
});

const versionsDisagree = defineRule({
  id: 'versions-disagree',
  severity: 'danger',
  meaning: 'the nodes of the channel judge certificates differently',
  words: ({ verdicts }: { verdicts: readonly VersionVerdict[] }) =>
    words(
      `the versions of the nodes give different verdicts: ${verdictsText(verdicts)}`,
      'change what is named here, or upgrade the nodes first: nodes with different verdicts do not agree on blocks and configs',
      'the versions of the nodes give different verdicts',
    ),
});

/** The rules of this file. */
export const VERSION_RULES = [versionsDisagree, dependsOnVersion] as const;

/** The findings by the rules of some releases. */
export interface FoundBy {
  readonly rules: Rules;
  readonly found: readonly RawFinding[];
}

type JudgedUpdate = Pick<Facts, 'after'> & Partial<Pick<Facts, 'before' | 'signatures' | 'submitter'>>;

/**
 * Returns the rules with possibly other findings than the newest: most configs have only certificates that all releases judge alike, and
 * few channels are BFT.
 */
export async function differingRules(
  judged: JudgedUpdate,
  [newest, ...older]: readonly [Rules, ...Rules[]],
): Promise<Rules[]> {
  if (older.length === 0) return [];
  const bftOfNewest = bftFacts(judged, newest.bft);
  const areSame = ({ fabric, bft }: Rules): boolean =>
    fabric === newest.fabric && (bft === newest.bft || bftFacts(judged, bft) === bftOfNewest);
  // The only question that takes time.
  const isAboutGo =
    older.some((rules) => areSame(rules) && rules.go !== newest.go) &&
    (await dependsOnCertificates(judged, newest.go));
  return older.filter((rules) => !areSame(rules) || (isAboutGo && rules.go !== newest.go));
}

/** The facts that the findings of a version of BFT consensus depend on, as a text. */
function bftFacts(judged: JudgedUpdate, version: BftVersion): string {
  const states = statesIn(judged).map(({ channel }) =>
    attempt(
      () => {
        const { bftOptions } = channel.orderer;
        if (bftOptions === undefined) return [];
        return [
          smartBftFaults(smartBftOptions(channel.orderer)!, version),
          smartBftFaults(bftOptions, version, { limitsRequest: false }),
          consenterNodes(channel, version).nodes.map(({ key }) => key),
        ];
      },
      () => [],
    ),
  );
  const [before, after = before] = states.map((found) => found.at(-1) as readonly string[] | undefined);
  const stays = (after ?? []).map((key) => before?.includes(key));
  return JSON.stringify([states.map((found) => found.slice(0, -1)), stays]);
}

const statesIn = ({ before, after }: JudgedUpdate): readonly ChannelState[] =>
  before === undefined ? [after] : [before, after];

async function dependsOnCertificates(judged: JudgedUpdate, newest: GoVersion): Promise<boolean> {
  const { signatures = [], submitter } = judged;
  const certificates = [
    ...statesIn(judged).flatMap(certificatesIn),
    ...[...signatures, ...(submitter === undefined ? [] : [submitter])].map(({ creator }) =>
      certificateOf(creator),
    ),
  ];
  for (const pem of certificates) {
    await judged.after.call.pause();
    if (dependsOnGo(pem, newest)) return true;
  }
  return false;
}

function certificatesIn(state: ChannelState): readonly Uint8Array[] {
  const ofMsps = state.channel.organizations.flatMap((organization) => {
    const msp = mspOf(organization);
    if (msp === undefined) return [];
    const { roots, intermediates, admins, tlsRoots, tlsIntermediates } = msp;
    return [...roots, ...intermediates, ...admins, ...tlsRoots, ...tlsIntermediates];
  });
  const consenters = attempt(
    () => state.channel.orderer?.consenters ?? [],
    () => [],
  );
  return [
    ...ofMsps,
    ...consenters.flatMap(({ clientTlsCert, serverTlsCert }) => [clientTlsCert, serverTlsCert]),
  ];
}

const certificateOf = (creator: Uint8Array): Uint8Array =>
  attempt(
    () => readSerializedIdentity(creator).certificate,
    () => new Uint8Array(),
  );

/**
 * Returns the findings of only some of the releases. It is no check, because it compares the findings of several runs.
 *
 * @param versions of the nodes that were given
 */
export function compareVersions(each: readonly FoundBy[], versions: readonly string[]): RawFinding[] {
  const all = each.map(({ rules, found }) => ({
    rules,
    found: found.filter(({ explainedBy }) => explainedBy === undefined),
  }));
  const groups = groupBy(all, ({ found }) => found.map(keyOf).toSorted().join('\n'));
  if (groups.size < 2) return [];
  const keys = all.map(({ found }) => new Set(found.map(keyOf)));
  const isEverywhere = (key: string): boolean => keys.every((of) => of.has(key));
  const data = {
    verdicts: [...groups.values()].map((group) => ({
      releases: releasesText(group.flatMap(({ rules }) => rules.releases)),
      findings: group[0].found.filter((one) => !isEverywhere(keyOf(one))).map((one) => wordsOf(one).text),
    })),
  };
  return [
    doDisagree([...groups.values()], versions)
      ? versionsDisagree.at('', data)
      : dependsOnVersion.at('', data),
  ];
}

/** Whether two of the versions have different findings, whatever their releases are. */
function doDisagree(groups: readonly (readonly FoundBy[])[], versions: readonly string[]): boolean {
  const groupsOf = versions.map(
    (version) =>
      new Set(groups.filter((group) => group.some(({ rules }) => rules.versions.includes(version)))),
  );
  return groupsOf.some((one) => groupsOf.some((other) => [...one].every((group) => !other.has(group))));
}

const keyOf = ({ severity, rule, path }: RawFinding): string => `${severity} ${rule.id} ${path}`;
