// The types of arguments that are results of other functions of the library.

import { is } from '../../proto/arguments.js';

const configGroup = is.record({ groups: is.map, values: is.map, policies: is.map });
const config = is.named('the config of a result of readConfigFile', is.record({ channelGroup: configGroup }));
const configUpdate = is.named(
  'the update of a result of readUpdateFile',
  is.record({ channelId: is.text, bytes: is.bytes }),
);

/** The types of `Config`, `ConfigGroup`, `ConfigFile`, `ConfigUpdate` and `Envelope`. */
export const resultTypes = {
  config,
  configGroup: is.named('a group of a config', configGroup),
  configFile: is.named('a result of readConfigFile', is.record({ config })),
  configUpdate,
  envelope: is.named(
    'a result of readUpdateFile',
    is.record({ update: configUpdate, signatures: is.list(is.record({})) }),
  ),
};
