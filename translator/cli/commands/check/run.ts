// `check`: what is wrong with one config.

import { readConfigFile } from '../../../config/file.js';
import { checkConfig } from '../../../review/check.js';
import { exitStatusOf } from '../../../review/report/result.js';
import { checkText } from '../../../review/report/text.js';
import { allowedOf } from '../../allowed.js';
import { readChannelInput } from '../../channel-file.js';
import type { Context } from '../../context.js';
import { jsonText } from '../../format.js';
import { fabricOf } from '../../fabric.js';
import { printText } from '../../output.js';
import { clockOf } from '../../time.js';
import { requiredArgument, type Values } from '../../values.js';

/** @returns the exit status @throws CommandError */
export async function run(values: Values, context: Context): Promise<number> {
  const path = requiredArgument(values, 0, 'block');
  const options = { now: clockOf(values.optional('now')), fabric: fabricOf(values.one('fabric')) };
  const allowed = allowedOf(values);
  const result = await checkConfig(await readChannelInput(path, values, context, readConfigFile), options);
  const text = values.isSet('json') ? jsonText(result) : checkText(result, context.process.style);
  printText(text, context.process);
  return exitStatusOf(result, allowed);
}
