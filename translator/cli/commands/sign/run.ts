// `sign`: shows a config update and signs it.

import { fingerprintOf } from '../../../config/fingerprint.js';
import { readConfigFile, readUpdateFile as readUpdate } from '../../../config/file.js';
import { PLAIN } from '../../../describe/style.js';
import { exitStatusOf, type Review } from '../../../review/report/result.js';
import { reviewText } from '../../../review/report/text.js';
import { review } from '../../../review/review.js';
import { updateText } from '../../../show/update-text.js';
import { summariseUpdate } from '../../../show/update.js';
import { signEnvelope } from '../../../sign/sign.js';
import { allowedOf } from '../../allowed.js';
import { writeBinary } from '../../binary-output.js';
import { naming, readChannelInput } from '../../channel-file.js';
import type { Context } from '../../context.js';
import { CommandError, UsageError } from '../../errors.js';
import { readMspDirectory, signingIdentityOf, type MspDirectory } from '../../msp-directory.js';
import { checkMspId, mspIdIn } from '../../msp-id-in-block.js';
import { readUpdateFile, type UpdateFile } from '../../update-file.js';
import { requiredArgument, type Values } from '../../values.js';

/** @throws CommandError */
export async function run(values: Values, context: Context): Promise<void> {
  const { process } = context;
  const path = requiredArgument(values, 0, 'file');
  const allowed = allowedOf(values);
  const file = readUpdateFile(path, process);
  if (file.content.channelId === '')
    throw new CommandError(`${path}: the envelope has no channel id; it must name the channel`);
  await expectFingerprint(values.optional('expect'), file);
  const directory = readMspDirectory(values.one('msp'));
  const mspId = await mspIdOf(values, directory, context);
  const block = values.optional('block');
  const text = block === undefined ? await summaryOf(file) : await reviewed(file, block, allowed, context);
  const signer = await signingIdentityOf(directory, mspId);
  const envelope = await signEnvelope(file.bytes, signer, new Date());
  if (!values.isSet('quiet')) process.error(text);
  writeBinary(values.one('output'), envelope, process);
}

async function expectFingerprint(expected: string | undefined, { path, content }: UpdateFile): Promise<void> {
  if (expected === undefined) return;
  const found = await fingerprintOf(content.update);
  if (expected.trim().toLowerCase() !== found)
    throw new CommandError(`${path} has the fingerprint ${found}, not ${expected}: it was not signed`);
}

async function mspIdOf(values: Values, { certificate }: MspDirectory, { process }: Context): Promise<string> {
  const given = values.optional('mspid');
  const block = values.optional('block');
  if (given !== undefined && given !== '') {
    if (block !== undefined) await checkMspId(block, given, certificate, process);
    return given;
  }
  if (block !== undefined) return mspIdIn(block, certificate, process);
  throw new UsageError(
    'the id of the MSP is needed: --mspid ID, or --block with a config block of the channel',
  );
}

/** What an update changes, without a config to compare it with. */
const summaryOf = async ({ path, bytes, content }: UpdateFile): Promise<string> => {
  const now = new Date();
  const text = naming(path, () => updateText(summariseUpdate(readUpdate(bytes), now), now, PLAIN));
  return `${text}fingerprint ${await fingerprintOf(content.update)}\n`;
};

/** The review as text. @throws CommandError if the update is refused or dangerous */
async function reviewed(
  { path, bytes }: UpdateFile,
  block: string,
  allowed: ReadonlySet<string>,
  context: Context,
): Promise<string> {
  const config = await readChannelInput(block, context, readConfigFile);
  const result = await review(
    naming(path, () => readUpdate(bytes)),
    config,
    { now: new Date() },
  );
  const text = reviewText(result, PLAIN);
  const reason = refusalOf(result, allowed);
  if (reason === undefined) return text;
  context.process.error(text);
  throw new CommandError(`${path} was not signed: ${reason}`);
}

function refusalOf(result: Review, allowed: ReadonlySet<string>): string | undefined {
  const status = exitStatusOf(result, allowed);
  if (status === 2) return 'orderers would refuse it';
  const dangers = result.findings.filter(({ severity, id }) => severity === 'danger' && !allowed.has(id));
  const ids = [...new Set(dangers.map(({ id }) => id))];
  return status === 4
    ? `it is dangerous; if that is wanted: ${ids.map((id) => `--allow ${id}`).join(' ')}`
    : undefined;
}
