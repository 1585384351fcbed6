// Takes a whole config that was edited as JSON.

import { decode, encode } from '../../proto/index.js';
import type { Config, ConfigGroup, ConfigPolicy, ConfigValue } from '../channel/element.js';
import { makeGroup } from '../channel/make.js';
import { readConfig } from '../channel/read.js';
import { writeConfig } from '../channel/write.js';
import { samePolicyEntry, sameValue } from '../update/equal.js';
import { edited, type Edited } from './edited.js';

/**
 * Replaces the config. JSON does not keep unknown fields and the order of fields, so the elements whose JSON is unchanged keep their
 * bytes.
 */
export function replaceConfig(config: Config, modified: Config): Edited {
  const json = decode('common.Config', writeConfig(config));
  const same = readConfig(encode('common.Config', new TextEncoder().encode(json)));
  return edited(config, restored(config.channelGroup, same.channelGroup, modified.channelGroup));
}

function restored(original: ConfigGroup, same: ConfigGroup, modified: ConfigGroup): ConfigGroup {
  return makeGroup({
    ...modified,
    unknown: original.unknown,
    groups: new Map(
      [...modified.groups].map(([name, group]) => {
        const [old, read] = [original.groups.get(name), same.groups.get(name)];
        return [name, old === undefined || read === undefined ? group : restored(old, read, group)];
      }),
    ),
    values: kept<ConfigValue>(original.values, same.values, modified.values, sameValue),
    policies: kept<ConfigPolicy>(original.policies, same.policies, modified.policies, samePolicyEntry),
  });
}

function kept<E>(
  original: ReadonlyMap<string, E>,
  same: ReadonlyMap<string, E>,
  modified: ReadonlyMap<string, E>,
  isSame: (left: E, right: E) => boolean,
): Map<string, E> {
  return new Map(
    [...modified].map(([name, element]) => {
      const [old, read] = [original.get(name), same.get(name)];
      return [name, old !== undefined && read !== undefined && isSame(read, element) ? old : element];
    }),
  );
}
