// The flag `--allow`: known dangers.

import { FINDINGS } from '../review/finding-ids.js';
import { UsageError } from './errors.js';
import type { Flag } from './flag.js';
import type { Values } from './values.js';

export const ALLOW: Flag = {
  name: 'allow',
  kind: 'string',
  isRepeatable: true,
  help: 'The id of a known danger, for example policy-weakened. May be given more than once.',
};

/** The ids that are allowed. @throws UsageError for an id that is no danger */
export function allowedOf(values: Values): ReadonlySet<string> {
  const ids = values.all('allow');
  for (const id of ids) {
    const [severities = ''] = Object.hasOwn(FINDINGS, id) ? FINDINGS[id as keyof typeof FINDINGS] : [];
    if (!severities.startsWith('danger'))
      throw new UsageError(
        `flag 'allow' must be the id of a danger, as review --json shows it, found ${JSON.stringify(id)}`,
      );
  }
  return new Set(ids);
}
