// The id of the MSP of an organisation.

import { TranslateError } from '../../proto/errors.js';
import { readMessage } from '../../proto/typed.js';
import { MspFabricMSPConfig } from '../../proto/messages.js';
import type { ConfigGroup } from './element.js';
import { valueOf } from './values.js';

/** The MSP id of the group of an organisation; undefined if it has no MSP or one that does not parse. An IdemixMSPConfig begins with it too. */
export function mspIdOf(organization: ConfigGroup): string | undefined {
  try {
    const msp = valueOf(organization, 'applicationOrganization', 'MSP');
    return msp === undefined ? undefined : readMessage(MspFabricMSPConfig, msp.config).name;
  } catch (error) {
    if (error instanceof TranslateError) return undefined;
    throw error;
  }
}
