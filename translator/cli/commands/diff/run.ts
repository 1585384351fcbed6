// `diff`: what differs between two configs.

import { readConfigFile } from '../../../config/file.js';
import { describeDifference } from '../../../log/difference.js';
import { differenceText } from '../../../log/text.js';
import { readChannelInput } from '../../channel-file.js';
import type { Context } from '../../context.js';
import { jsonText } from '../../format.js';
import { CommandError } from '../../errors.js';
import { printText } from '../../output.js';
import { requiredArgument, type Values } from '../../values.js';

/** @throws CommandError */
export async function run(values: Values, context: Context): Promise<void> {
  const [first, second] = ['before', 'after'].map((name, index) => requiredArgument(values, index, name));
  const before = await readChannelInput(first!, values, context, readConfigFile);
  const after = await readChannelInput(second!, values, context, readConfigFile);
  if (before.channel !== undefined && after.channel !== undefined && before.channel !== after.channel)
    throw new CommandError(
      `${first!} is of channel ${JSON.stringify(before.channel)}, ${second!} of channel ${JSON.stringify(after.channel)}`,
    );
  const differences = describeDifference(before.config, after.config);
  const text = values.isSet('json') ? jsonText(differences) : differenceText(differences);
  printText(text, context.process);
}
