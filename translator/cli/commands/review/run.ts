// `review`: what a config update changes, who must sign it, and what orderers would say.

import { FABRIC_VERSIONS, type FabricVersion } from '../../../config/capabilities.js';
import { readConfigFile, readUpdateFile } from '../../../config/file.js';
import { TranslateError } from '../../../../proto/errors.js';
import { exitStatusOf } from '../../../review/report/result.js';
import { review } from '../../../review/review.js';
import { reviewText } from '../../../review/report/text.js';
import { decodePem } from '../../../../core/common/certificates/pem.js';
import { writeSerializedIdentity } from '../../../msp/serialized-identity.js';
import { allowedOf } from '../../allowed.js';
import { readChannelInput } from '../../channel-file.js';
import type { Context, Process } from '../../context.js';
import { CommandError, UsageError } from '../../errors.js';
import { readInput } from '../../files.js';
import { mspIdIn } from '../../msp-id-in-block.js';
import { printText } from '../../output.js';
import { requiredArgument, type Values } from '../../values.js';

/** @returns the exit status @throws CommandError */
export async function run(values: Values, context: Context): Promise<number> {
  const path = requiredArgument(values, 0, 'file');
  const options = {
    now: clockOf(values.optional('now')),
    fabric: fabricOf(values.one('fabric')),
    active: activeOf(values.optional('active')),
  };
  const allowed = allowedOf(values);
  const block = values.one('block');
  const update = await readChannelInput(path, context, readUpdateFile);
  const config = await readChannelInput(block, context, readConfigFile);
  const submitter = await submitterOf(values.optional('submitter'), block, context.process);
  try {
    const result = await review(update, config, { ...options, submitter });
    printText(
      values.isSet('json')
        ? `${JSON.stringify(result, undefined, 2)}\n`
        : reviewText(result, context.process.style),
      context.process,
    );
    return exitStatusOf(result, allowed);
  } catch (error) {
    if (error instanceof TranslateError)
      throw new CommandError(`${block}: ${error.message}`, { cause: error });
    throw error;
  }
}

function fabricOf(text: string): FabricVersion {
  const found = FABRIC_VERSIONS.find((version) => version === text);
  if (found !== undefined) return found;
  throw new UsageError(
    `flag 'fabric' must be one of ${FABRIC_VERSIONS.join(', ')}, found ${JSON.stringify(text)}`,
  );
}

function activeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new UsageError(`flag 'active' must be a number of consenters, found ${JSON.stringify(text)}`);
}

const MILLISECONDS = 1000;

/** A time in RFC 3339, or seconds since 1970. */
function clockOf(text: string | undefined): Date {
  if (text === undefined) return new Date();
  const isSeconds = /^\d{1,12}$/.test(text);
  const time = new Date(isSeconds ? Number(text) * MILLISECONDS : text);
  const isDate = isSeconds || /^\d{4}-\d{2}-\d{2}(?:T\S+)?$/.test(text);
  if (isDate && !Number.isNaN(time.getTime())) return time;
  throw new UsageError(
    `flag 'now' must be a time such as 2026-11-22T12:00:00Z, or seconds since 1970, found ${JSON.stringify(text)}`,
  );
}

async function submitterOf(
  path: string | undefined,
  block: string,
  process: Process,
): Promise<Uint8Array | undefined> {
  if (path === undefined) return undefined;
  const pem = readInput(path, process);
  const certificate = decodePem(pem);
  if (certificate === undefined) throw new CommandError(`${path} is not a certificate in PEM`);
  return writeSerializedIdentity(await mspIdIn(block, pem, process), certificate.bytes);
}
