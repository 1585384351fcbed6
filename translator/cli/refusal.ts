// Why an update is not signed or sent after a review.

import { exitStatusOf, type Review } from '../review/report/result.js';

/** Undefined if it is neither refused nor dangerous. @param allowed ids of known dangers */
export function refusalOf(result: Review, allowed: ReadonlySet<string>): string | undefined {
  const status = exitStatusOf(result, allowed);
  if (status === 2) return 'orderers would refuse it';
  const dangers = result.findings.filter(({ severity, id }) => severity === 'danger' && !allowed.has(id));
  const ids = [...new Set(dangers.map(({ id }) => id))];
  return status === 4
    ? `it is dangerous; if that is wanted: ${ids.map((id) => `--allow ${id}`).join(' ')}`
    : undefined;
}
