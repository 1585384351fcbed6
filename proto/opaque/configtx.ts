// Configurations and their updates (specification sections 6.1 and 6.3).

import { Refusal, type Treatments } from '../treatment.js';
import { channel } from './channel-groups.js';

export const configtx: Treatments = {
  'common.Config': { go: '*commonext.Config', within: { channel_group: () => channel } },
  'common.ConfigUpdateEnvelope': {
    go: '*commonext.ConfigUpdateEnvelope',
    opens: { config_update: 'common.ConfigUpdate' },
  },
  'common.ConfigUpdate': {
    go: '*commonext.ConfigUpdate',
    within: { read_set: () => channel, write_set: () => channel },
    opens: { isolated_data: (_update, key) => new Refusal(`Unknown map key: ${key}`) },
  },
  'common.ConfigSignature': {
    go: '*commonext.ConfigSignature',
    opens: { signature_header: 'common.SignatureHeader' },
  },
};
