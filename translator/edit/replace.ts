// Replaces a config by a whole config that was edited as JSON.

import { requireTypes } from '../../proto/arguments.js';
import { decode, encode } from '../../proto/index.js';
import { type Config, readConfig, writeConfig, resultTypes } from '../channel/index.js';
import { edited, type Edited } from './edited.js';
import { mergeChanges } from './rebase.js';

/**
 * Replaces the config. JSON loses unknown fields and the order of fields, so the new config is compared with the JSON of the old one, and
 * elements with unchanged JSON keep their bytes.
 *
 * @throws TranslateError BAD_EDIT if `modified` is not a config
 */
export function replaceConfig(config: Config, modified: Config): Edited {
  requireTypes(
    { config, modified },
    { config: resultTypes.config, modified: resultTypes.config },
    'BAD_EDIT',
  );
  const json = decode('common.Config', writeConfig(config));
  const same = readConfig(encode('common.Config', new TextEncoder().encode(json)));
  return edited(config, mergeChanges(same, modified, config).group);
}
