// Verdicts that depend on the version of Fabric: releases judge certificates by the version of Go that they are built with, and have
// different BFT consensus.

import { createYielder } from '../../../core/common/flow/yielder.js';
import {
  dependsOnGo,
  type GoVersion,
  readSerializedIdentity,
  releasesText,
  type Rules,
} from '../../msp/index.js';
import { type BftVersion, smartBftFaults, smartBftOptions } from '../../channel/index.js';
import type { Finding } from '../../documents/index.js';
import { attempt } from '../../../proto/errors.js';
import { consenterNodes } from '../facts/consenters.js';
import type { Facts } from '../facts/gather.js';
import { mspOf, type ChannelState } from '../../state/index.js';
import { finding } from '../finding.js';

/** What is found by the rules of some releases. */
export interface Verdict {
  readonly rules: Rules;
  readonly findings: readonly Finding[];
}

type Judged = Pick<Facts, 'after'> & Partial<Pick<Facts, 'before' | 'signatures' | 'submitter'>>;

/**
 * The rules that could give other findings than the newest: most configs have only certificates that all releases judge alike, and few
 * channels are BFT.
 */
export async function differingRules(
  judged: Judged,
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

/** What the findings of a version of BFT consensus depend on, as a text. */
function bftFacts(judged: Judged, version: BftVersion): string {
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

const statesIn = ({ before, after }: Judged): readonly ChannelState[] =>
  before === undefined ? [after] : [before, after];

async function dependsOnCertificates(judged: Judged, newest: GoVersion): Promise<boolean> {
  const { signatures = [], submitter } = judged;
  const certificates = [
    ...statesIn(judged).flatMap(certificatesIn),
    ...[...signatures, ...(submitter === undefined ? [] : [submitter])].map(({ creator }) =>
      certificateOf(creator),
    ),
  ];
  const yieldIfDue = createYielder(1);
  for (const pem of certificates) {
    await yieldIfDue();
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

/** @param versions of the nodes that were given */
export function versionFindings(verdicts: readonly Verdict[], versions: readonly string[]): Finding[] {
  const groups = new Map<string, Verdict[]>();
  for (const verdict of verdicts) {
    const key = verdict.findings.map(keyOf).toSorted().join('\n');
    groups.set(key, [...(groups.get(key) ?? []), verdict]);
  }
  if (groups.size < 2) return [];
  const keys = verdicts.map(({ findings }) => new Set(findings.map(keyOf)));
  const isEverywhere = (key: string): boolean => keys.every((of) => of.has(key));
  const data = {
    verdicts: [...groups.values()].map((group) => ({
      releases: releasesText(group.flatMap(({ rules }) => rules.releases)),
      findings: group[0]!.findings.filter((each) => !isEverywhere(keyOf(each))).map(({ text }) => text),
    })),
  };
  return [
    doDisagree([...groups.values()], versions)
      ? finding('danger', 'versions-disagree', '', data)
      : finding('warning', 'depends-on-version', '', data),
  ];
}

/** Whether two of the versions have no verdict in common, whatever their releases are. */
function doDisagree(groups: readonly (readonly Verdict[])[], versions: readonly string[]): boolean {
  const verdictsOf = versions.map(
    (version) =>
      new Set(groups.filter((group) => group.some(({ rules }) => rules.versions.includes(version)))),
  );
  return verdictsOf.some((one) => verdictsOf.some((other) => [...one].every((group) => !other.has(group))));
}

const keyOf = ({ severity, id, path }: Finding): string => `${severity} ${id} ${path}`;
