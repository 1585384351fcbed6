// Verdicts that depend on the version of Fabric: releases judge certificates by the version of Go that they are built with.

import { createYielder } from '../../../core/common/flow/yielder.js';
import { dependsOnGo, readSerializedIdentity, releasesText, type Rules } from '../../msp/index.js';
import type { Finding } from '../../describe/index.js';
import { attempt } from '../../../proto/errors.js';
import type { Facts } from '../facts/gather.js';
import { mspOf, type State } from '../../powers/index.js';
import { finding } from '../finding.js';

/** What is found by the rules of some releases. */
export interface Verdict {
  readonly rules: Rules;
  readonly findings: readonly Finding[];
}

type Judged = Pick<Facts, 'after'> & Partial<Pick<Facts, 'before' | 'signatures' | 'submitter'>>;

/** Whether different rules could give different findings: most configs have only certificates that all releases judge alike. */
export async function dependsOnRules(
  { before, after, signatures = [], submitter }: Judged,
  [newest, ...older]: readonly [Rules, ...Rules[]],
): Promise<boolean> {
  if (older.length === 0) return false;
  if (older.some(({ fabric }) => fabric !== newest.fabric)) return true;
  const states = before === undefined ? [after] : [before, after];
  const certificates = [
    ...states.flatMap(certificatesIn),
    ...[...signatures, ...(submitter === undefined ? [] : [submitter])].map(({ creator }) =>
      certificateOf(creator),
    ),
  ];
  const yieldIfDue = createYielder(1);
  for (const pem of certificates) {
    await yieldIfDue();
    if (dependsOnGo(pem, newest.go)) return true;
  }
  return false;
}

function certificatesIn(state: State): readonly Uint8Array[] {
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
