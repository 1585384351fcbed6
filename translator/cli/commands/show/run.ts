// `show`: a channel or a config update on one screen.

import { readChannelFile } from '../../../config/file.js';
import { channelText } from '../../../show/channel-text.js';
import { summariseChannel } from '../../../show/channel.js';
import { updateText } from '../../../show/update-text.js';
import { summariseUpdate } from '../../../show/update.js';
import { naming, readChannelInput } from '../../channel-file.js';
import type { Context } from '../../context.js';
import { jsonText } from '../../format.js';
import { printText } from '../../output.js';
import { requiredArgument, type Values } from '../../values.js';

/** @throws CommandError */
export async function run(values: Values, context: Context): Promise<void> {
  const path = requiredArgument(values, 0, 'file');
  const file = await readChannelInput(path, values, context, readChannelFile);
  const { process } = context;
  const now = new Date();
  const text = naming(path, () => {
    const summary = file.kind === 'config' ? summariseChannel(file) : summariseUpdate(file, now);
    if (values.isSet('json')) return jsonText(summary);
    return summary.kind === 'channel'
      ? channelText(summary, now, process.style)
      : updateText(summary, now, process.style);
  });
  printText(text, process);
}
