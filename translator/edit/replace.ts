// Takes a whole config that was edited as JSON.

import { decode, encode } from '../../proto/index.js';
import { type Config, readConfig, writeConfig } from '../channel/index.js';
import { edited, type Edited } from './edited.js';
import { mergeChanges } from './rebase.js';

/**
 * Replaces the config. JSON does not keep unknown fields and the order of fields, so what counts is what differs from the JSON of the config:
 * the elements whose JSON is unchanged keep their bytes.
 */
export function replaceConfig(config: Config, modified: Config): Edited {
  const json = decode('common.Config', writeConfig(config));
  const same = readConfig(encode('common.Config', new TextEncoder().encode(json)));
  return edited(config, mergeChanges(same, modified, config).group);
}
