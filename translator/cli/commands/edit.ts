// `edit`: any edit of a channel config.

import { SET_FIELDS } from '../../edit/catalogue/index.js';
import type { Setting } from '../../edit/index.js';
import { flag, flagList } from '../command.js';
import { editCommand } from '../edit-command.js';
import { CommandError, UsageError, withPrefix } from '../errors.js';
import { readOptional } from '../files.js';
import { inputPath, kind } from '../kinds.js';

const { name, help, example, fields } = SET_FIELDS;

/** `PATH=VALUE`; a path is quoted if a name in it contains `=`. */
const setting = kind((given, flagName): Setting => {
  const [, path, value] = /^((?:"[^"]*"|[^"=])+)=([\s\S]*)$/.exec(given) ?? [];
  if (path === undefined || value === undefined)
    throw new UsageError(`--${flagName} ${JSON.stringify(given)} has no value, expected PATH=VALUE`);
  return { path: path.trim(), value, name: `--${flagName} ${path.trim()}` };
});

/** The command. */
export const edit = editCommand({
  name,
  help,
  example,
  flags: {
    [fields.settings.flag]: flagList(setting, fields.settings.help),
    with: flag(inputPath, 'The edited config: the JSON of the config or of the block, or the message.'),
  },
  async edit({ set: settings, with: path, onto }, io) {
    const { readConfigFile } = await import('../../channel/index.js');
    const { badEdit, editAll } = await import('../../edit/index.js');
    const { replaceConfig } = await import('../../edit/index.js');
    const { encode } = await import('../../../proto/from-json.js');
    const setFields = await SET_FIELDS.load();
    const file = readOptional(path, io);
    if (settings.length === 0 && file === undefined)
      throw new UsageError('an edit is needed: --set PATH=VALUE or --with FILE');
    if (file !== undefined && onto !== undefined)
      throw new CommandError('--with replaces the whole config and cannot be combined with --onto');
    return (config, channel) => {
      const replace = (before: typeof config, bytes: Uint8Array): ReturnType<typeof replaceConfig> => {
        const modified = readConfigFile(bytes, encode);
        if (modified.channel !== undefined && modified.channel !== channel)
          throw badEdit(
            `it is of the channel ${JSON.stringify(modified.channel)}, the block is of ${JSON.stringify(channel)}`,
          );
        return replaceConfig(before, modified.config);
      };
      return editAll(config, [
        ...(file === undefined
          ? []
          : [(each: typeof config) => withPrefix(`--with ${path}`, () => replace(each, file))]),
        (each) => setFields(each, { settings }),
      ]);
    };
  },
});
