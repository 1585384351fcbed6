// Updates that do not do what they seem to, and changes that a review does not show.

import {
  type Applied,
  sameContent,
  type Change,
  groupAt,
  type ConfigGroup,
  type ConfigPolicy,
  type ConfigValue,
  type Policy,
  unknownContent,
} from '../../channel/index.js';
import type { Finding } from '../../documents/index.js';
import { finding } from '../finding.js';
import { unknownPolicyContent } from '../../policy/index.js';
import type { Facts } from '../facts/gather.js';

export function updateFindings({ changes, config }: Applied): Finding[] {
  const lost = changes.filter((change) => isLost(change, config.channelGroup)).map(lostFinding);
  const same = changes.filter(hasNoEffect);
  if (same.length === 0) return lost;
  const isAll = same.length === changes.length;
  const { path } = same[0]!;
  return [
    ...lost,
    isAll
      ? finding('warning', 'update-without-effect', path, {})
      : finding('warning', 'change-without-effect', path, { elements: same.length }),
  ];
}

const lostFinding = ({ path }: Change): Finding => finding('warning', 'change-ignored', path, {});

/** Whether the resulting config lacks an element that the update adds. */
function isLost({ kind, names, change }: Change, root: ConfigGroup): boolean {
  const name = names.at(-1);
  if (change !== 'new' || name === undefined) return false;
  const group = groupAt(root, names.slice(0, -1));
  const elements = { group: group?.groups, value: group?.values, policy: group?.policies }[kind];
  return elements?.has(name) !== true;
}

const hasNoEffect = ({ kind, element, before }: Change): boolean =>
  before !== undefined && element.modPolicy === before.modPolicy && sameContent(kind, element, before);

/** Changes that a review does not put into words. Nobody should sign what is not shown. */
export function notShownFindings({ changes, proposal: { applied } }: Facts): Finding[] {
  const reasons = new Map(
    changes
      .filter(({ data }) => data.some(({ hidden }) => hidden === true))
      .map(({ placed: { path } }) => [path, 'it cannot be shown here']),
  );
  for (const change of applied.changes) {
    const reason = reasonIn(change);
    if (reason !== undefined) reasons.set(change.path, reason);
  }
  return [...reasons].map(([path, reason]) => finding('danger', 'change-not-shown', path, { reason }));
}

/** Unknown content of the new value or policy, unless the previous one has the same. */
function reasonIn({ kind, names, element, before }: Change): string | undefined {
  const contentOf =
    kind === 'value'
      ? (one: Change['element']) => unknownContent(names, (one as ConfigValue).value)
      : (one: Change['element']) => policyContent((one as ConfigPolicy).policy);
  if (kind === 'group') return undefined;
  const reason = contentOf(element);
  return reason === undefined || (before !== undefined && contentOf(before) === reason) ? undefined : reason;
}

const policyContent = (policy: Policy | undefined): string | undefined =>
  policy && unknownPolicyContent(policy);
