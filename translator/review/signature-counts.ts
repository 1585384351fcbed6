// What the signature of an identity would do for an update.

import { is, requireTypes } from '../../proto/arguments.js';
import { attempt } from '../../proto/errors.js';
import { LongCall, WHOLE, type CallOptions, CALL } from '../long-call.js';
import type { MspCache } from '../msp/index.js';
import { applyInSteps, type ConfigFile, type Envelope, resultTypes } from '../channel/index.js';
import {
  Evaluation,
  SignerList,
  isSatisfiable,
  judgeInSteps,
  policiesOf,
  remainingNeed,
  type Need,
  type Principal,
  type Signer,
} from '../policy/index.js';
import { checkSignatures, signersByPolicy } from '../rules/index.js';
import type { SigningIdentity } from '../sign/index.js';
import { ChannelState } from '../state/index.js';

/**
 * The use of a signature. needed: a policy that is not satisfied yet needs it. spare: it counts, but the policies are satisfied without it.
 * signed: the identity has signed, and orderers count an identity once. idle: it counts for no policy of the update.
 */
export type SignatureUse = 'needed' | 'spare' | 'signed' | 'idle';

/** Options of {@link signatureUse}. */
interface CountOptions extends CallOptions {
  /** MSPs that other calls have set up. */
  readonly msps?: MspCache | undefined;
}

/** Whether a signature of an identity would be needed, see {@link signatureUse}. */
export const signatureCounts = async (...args: Parameters<typeof signatureUse>): Promise<boolean> =>
  (await signatureUse(...args)) === 'needed';

/**
 * What a signature of an identity would do for the policies of the changed elements.
 *
 * @param block the config of the channel, as for `review`
 * @param identity `creator`: a serialized `msp.SerializedIdentity`
 * @throws the reason of `signal` if it aborts
 * @throws TranslateError BAD_BYTES if a value of the config does not parse
 */
export async function signatureUse(
  file: Envelope,
  block: ConfigFile,
  identity: Pick<SigningIdentity, 'creator'>,
  options: CountOptions = {},
): Promise<SignatureUse> {
  requireTypes(
    { file, block, identity, options },
    {
      file: resultTypes.envelope,
      block: resultTypes.configFile,
      identity: is.record({ creator: is.bytes }),
      options: is.only({ msps: is.any, ...CALL }),
    },
  );
  const { update, signatures, channel } = file;
  const { config, channel: name = channel } = block;
  const { msps, signal, onProgress } = options;
  const call = new LongCall({ signal, onProgress });
  const state = new ChannelState(config, { cache: msps, call });
  call.begin('msps', WHOLE);
  await state.readAhead();
  const { manager } = await state.msps;
  const signer = await attempt(
    async () => manager.identity(identity.creator),
    () => undefined,
  );
  if (signer === undefined) return 'idle';
  const checked = await checkSignatures(update.bytes, signatures, manager, call);
  const signers = checked.flatMap((each) => each.identity ?? []);
  const list = new SignerList(signers);
  const withIdentity = new SignerList([...signers, signer]);
  if (withIdentity.signers.length === list.signers.length) return 'signed';
  const evaluation = new Evaluation(list);
  const { changes } = await call.run(applyInSteps(config, update, name));
  const judgements = await call.run(judgeInSteps(state.policies, changes, evaluation));
  const canSatisfy = (principal: Principal): boolean =>
    isSatisfiable(principal, (mspid) => manager.msps.has(mspid));
  const policies = policiesOf(judgements);
  for (const policy of policies) {
    await call.pause();
    if (!evaluation.satisfied(policy) && helps(signer, remainingNeed(policy, evaluation, canSatisfy)))
      return 'needed';
  }
  const counted = await signersByPolicy(policies, withIdentity, call);
  return [...counted.values()].some((each) => each.has(signer)) ? 'spare' : 'idle';
}

/** Whether a signer is needed. */
function helps(signer: Signer, need: Need): boolean {
  if (need.kind === 'principal') return signer.satisfies(need.principal);
  return need.kind === 'some' && need.of.some((each) => helps(signer, each));
}
