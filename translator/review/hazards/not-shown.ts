// Hazards: changes that a review does not put into words. Nobody should sign what is not shown.

import type { Change } from '../../config/apply.js';
import type { ConfigPolicy, ConfigValue, Policy } from '../../config/element.js';
import { unknownContent } from '../../config/unknown-content.js';
import { NOT_SHOWN } from '../../describe/not-shown.js';
import { unknownPolicyContent } from '../../policy/unknown-content.js';
import type { Facts } from '../facts/gather.js';
import { hazard, type Finding } from '../finding.js';

export function notShownHazards({ changes, proposal: { applied } }: Facts): Finding[] {
  const reasons = new Map(
    changes
      .filter(({ words }) => words.some((each) => each.endsWith(NOT_SHOWN)))
      .map(({ placed: { path } }) => [path, 'it cannot be shown here']),
  );
  for (const change of applied.changes) {
    const reason = reasonIn(change);
    if (reason !== undefined) reasons.set(change.path, reason);
  }
  return [...reasons].map(([path, reason]) => notShown(path, reason));
}

const notShown = (path: string, reason: string): Finding =>
  hazard(
    'danger',
    'change-not-shown',
    path,
    `the review does not show everything that the update changes here: ${reason}`,
    'compare the JSON of both configs with configtxlator proto_decode, and ask who made the update',
  );

/** Unknown content of the new value or policy, unless the previous one has the same. */
function reasonIn({ kind, path, element, before }: Change): string | undefined {
  const contentOf =
    kind === 'value'
      ? (one: Change['element']) => unknownContent(path, (one as ConfigValue).value)
      : (one: Change['element']) => policyContent((one as ConfigPolicy).policy);
  if (kind === 'group') return undefined;
  const reason = contentOf(element);
  return reason === undefined || (before !== undefined && contentOf(before) === reason) ? undefined : reason;
}

const policyContent = (policy: Policy | undefined): string | undefined =>
  policy && unknownPolicyContent(policy);
