import { Refusal, type Treatments } from '../treatment.js';
import { channel } from './channel-groups.js';

/** Configurations and their updates. */
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
