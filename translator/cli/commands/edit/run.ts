// `edit`: any edit of a channel config.

import { readConfigFile } from '../../../config/file.js';
import { badEdit, editAll } from '../../../edit/edited.js';
import { replaceConfig } from '../../../edit/replace.js';
import { setByPath } from '../../../edit/set.js';
import type { Context } from '../../context.js';
import { CommandError, step, UsageError } from '../../errors.js';
import { flagFile, runEdit, type Edit } from '../../edit-update.js';
import { requiredArgument, type Values } from '../../values.js';

/** @throws CommandError */
export async function edit(values: Values, context: Context): Promise<void> {
  requiredArgument(values, 0, 'block');
  const settings = values.all('set').map(splitSetting);
  const modified = flagFile(values, 'with', context.process);
  if (settings.length === 0 && modified === undefined)
    throw new UsageError('an edit is needed: --set PATH=VALUE or --with FILE');
  if (modified !== undefined && values.optional('onto') !== undefined)
    throw new CommandError('--with replaces the whole config, so --onto is not possible with it');
  await runEdit(values, context, (config, codec, channel) =>
    editAll(config, [
      ...(modified === undefined
        ? []
        : [withFile({ path: values.one('with'), file: modified }, codec, channel)]),
      ...settings.map(
        ([path, value]) =>
          (each: Parameters<Edit>[0]) =>
            step(`--set ${path}`, () => setByPath(each, path, value, codec)),
      ),
    ]),
  );
}

function withFile(
  { path, file }: { readonly path: string; readonly file: Uint8Array },
  codec: Parameters<Edit>[1],
  channel: string,
): (config: Parameters<Edit>[0]) => ReturnType<Edit> {
  return (config) =>
    step(`--with ${path}`, () => {
      const modified = readConfigFile(file, codec.encode);
      if (modified.channel !== undefined && modified.channel !== channel)
        throw badEdit(
          `it is of the channel ${JSON.stringify(modified.channel)}, the block is of ${JSON.stringify(channel)}`,
        );
      return replaceConfig(config, modified.config, codec);
    });
}

/** Splits `PATH=VALUE`; a path with a `=` in a name is in quotes. */
function splitSetting(setting: string): readonly [path: string, value: string] {
  const [, path, value] = /^((?:"[^"]*"|[^"=])+)=([\s\S]*)$/.exec(setting) ?? [];
  if (path === undefined || value === undefined)
    throw new UsageError(`--set ${JSON.stringify(setting)} has no value, expected PATH=VALUE`);
  return [path.trim(), value];
}
