// `review`: what a config update changes, who must sign it, and what orderers would say.

import type { Config } from '../../../config/element.js';
import { readConfigFile, readUpdateFile } from '../../../config/file.js';
import { TranslateError } from '../../../../proto/errors.js';
import { consentersOf } from '../../../review/facts/consenters.js';
import type { Active } from '../../../review/facts/proposal.js';
import { exitStatusOf } from '../../../review/report/result.js';
import { review } from '../../../review/review.js';
import { isNetworkAddress } from '../../../source/network/address.js';
import { reviewText } from '../../../review/report/text.js';
import { decodePem } from '../../../../core/common/certificates/pem.js';
import { writeSerializedIdentity } from '../../../msp/serialized-identity.js';
import { allowedOf } from '../../allowed.js';
import { readChannelInput } from '../../channel-file.js';
import type { Context, Process } from '../../context.js';
import { CommandError, UsageError } from '../../errors.js';
import { fabricOf } from '../../fabric.js';
import { readInput } from '../../files.js';
import { mspIdIn, type NamedConfig } from '../../msp-id-in-block.js';
import { printText } from '../../output.js';
import { networkOfProfile } from '../../profile.js';
import { clockOf } from '../../time.js';
import { requiredArgument, type Values } from '../../values.js';

/** @returns the exit status @throws CommandError */
export async function run(values: Values, context: Context): Promise<number> {
  const path = requiredArgument(values, 0, 'file');
  const options = {
    now: clockOf(values.optional('now')),
    fabric: fabricOf(values.one('fabric')),
  };
  const allowed = allowedOf(values);
  const block = values.optional('block') ?? (await networkOfProfile(values, 'block'));
  const update = await readChannelInput(path, values, context, readUpdateFile);
  const config = await readChannelInput(block, values, context, readConfigFile);
  const active = activeOf(values.optional('active'), config.config);
  const submitter = await submitterOf(
    values.optional('submitter'),
    { path: block, config: config.config },
    context.process,
  );
  try {
    const result = await review(update, config, {
      ...options,
      active,
      submitter,
      isNewest: isNetworkAddress(block),
    });
    printText(
      values.isSet('json')
        ? `${JSON.stringify(result, undefined, 2)}\n`
        : reviewText(result, context.process.style),
      context.process,
    );
    return exitStatusOf(result, allowed);
  } catch (error) {
    if (error instanceof TranslateError) {
      const file = error.code === 'TOO_LARGE' ? path : block;
      throw new CommandError(`${file}: ${error.message}`, { cause: error });
    }
    throw error;
  }
}

/** The consenters that are alive: a number, or their addresses. */
function activeOf(text: string | undefined, config: Config): Active | undefined {
  if (text === undefined) return undefined;
  const consenters = consentersOf({ config }).list.map(({ host, port }) => `${host}:${port}`);
  const all = `the channel has ${consenters.length} consenters (${consenters.join(', ')})`;
  if (/^\d{1,6}$/.test(text)) {
    if (Number(text) <= consenters.length) return Number(text);
    throw new UsageError(`flag 'active' is ${text}, but ${all}`);
  }
  return new Set(
    text.split(',').map((address) => {
      const index = consenters.indexOf(address.trim());
      if (index !== -1) return index;
      throw new UsageError(
        `flag 'active' must be a number of consenters or their addresses, found ${JSON.stringify(address)}; ${all}`,
      );
    }),
  );
}

async function submitterOf(
  path: string | undefined,
  block: NamedConfig,
  process: Process,
): Promise<Uint8Array | undefined> {
  if (path === undefined) return undefined;
  const pem = readInput(path, process);
  const certificate = decodePem(pem);
  if (certificate?.label !== 'CERTIFICATE')
    throw new CommandError(
      `${path} is ${certificate === undefined ? 'not PEM' : `a PEM file (${certificate.label})`}, a certificate is needed`,
    );
  return writeSerializedIdentity(await mspIdIn(block, pem), certificate.bytes);
}
