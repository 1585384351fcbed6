// The flag `--fabric`: the version of the orderers.

import { FABRIC_VERSIONS, type FabricVersion } from '../config/capabilities.js';
import { UsageError } from './errors.js';
import type { Flag } from './flag.js';

export const FABRIC: Flag = {
  name: 'fabric',
  kind: 'string',
  fallback: '3.0',
  help: 'The version of the orderers: 2.5, or 3.0, which is also that of 3.1.',
};

/** @throws UsageError for another version */
export function fabricOf(text: string): FabricVersion {
  const found = FABRIC_VERSIONS.find((version) => version === (text === '3.1' ? '3.0' : text));
  if (found !== undefined) return found;
  throw new UsageError(
    `flag 'fabric' must be one of ${FABRIC_VERSIONS.join(', ')}, 3.1, found ${JSON.stringify(text)}`,
  );
}
