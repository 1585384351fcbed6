// The id of the MSP of an organisation.

import { TranslateError } from '../../proto/errors.js';
import type { ConfigGroup } from './element.js';
import { readAs, text } from './message.js';
import { valueOf } from './values.js';

/** FabricMSPConfig and IdemixMSPConfig both begin with the name. */
const named = { name: text(1) };

/** The MSP id of the group of an organisation; undefined if it has no MSP or one that does not parse. */
export function mspIdOf(organization: ConfigGroup): string | undefined {
  try {
    const msp = valueOf(organization, 'applicationOrganization', 'MSP');
    return msp === undefined ? undefined : readAs(named, msp.config).name;
  } catch (error) {
    if (error instanceof TranslateError) return undefined;
    throw error;
  }
}
