// Messages of Google's that are linked into Fabric's configtxlator (specification sections 3 and 4).

import type { Treatments } from '../treatment.js';

export const wellKnown: Treatments = {
  // No Fabric message has such a field. The message in it is not opened.
  'google.protobuf.Any': { sparse: true },
};
