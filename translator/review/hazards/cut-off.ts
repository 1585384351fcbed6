// Hazards: people who have signed and do not count after the update.

import type { Facts } from '../facts/gather.js';
import { hazard, type Finding } from '../finding.js';

export const cutOffHazards = ({ cutOff }: Facts): Finding[] =>
  cutOff.map(({ who, path, reason }) =>
    hazard(
      'danger',
      'signer-cut-off',
      path,
      `${who} does not count after this update: ${reason}`,
      'check that another admin of this organisation can sign',
    ),
  );
