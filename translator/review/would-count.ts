// Whether the signature of an identity would help an update.

import { attempt } from '../../proto/errors.js';
import { LongCall, WHOLE, type CallOptions } from '../long-call.js';
import type { MspCache } from '../msp/index.js';
import { applyInSteps, type ConfigFile, type Envelope } from '../channel/index.js';
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
import { checkSignatures } from '../rules/index.js';
import type { SigningIdentity } from '../sign/index.js';
import { ChannelState } from '../state/index.js';

/** Options of {@link wouldCount}. */
export interface CountOptions extends CallOptions {
  /** MSPs that other calls have set up. */
  readonly msps?: MspCache | undefined;
}

/**
 * Whether a signature of an identity would count for a policy that still needs one: a policy of a changed element that the signatures on
 * the update do not satisfy. A second signature of the same signer does not.
 *
 * @param block the config of the channel, as for `review`
 * @param identity `creator`: a serialized `msp.SerializedIdentity`
 * @throws the reason of `signal` if it aborts
 * @throws TranslateError BAD_BYTES if a value of the config does not parse
 */
export async function wouldCount(
  { update, signatures, channel }: Envelope,
  { config, channel: name = channel }: ConfigFile,
  { creator }: Pick<SigningIdentity, 'creator'>,
  { msps, signal, onProgress }: CountOptions = {},
): Promise<boolean> {
  const call = new LongCall({ signal, onProgress });
  const state = new ChannelState(config, { cache: msps, call });
  call.begin('msps', WHOLE);
  await state.readAhead();
  const { manager } = await state.msps;
  const identity = await attempt(
    async () => manager.identity(creator),
    () => undefined,
  );
  if (identity === undefined) return false;
  const checked = await checkSignatures(update.bytes, signatures, manager, call);
  const signers = checked.flatMap((each) => each.identity ?? []);
  const list = new SignerList(signers);
  // Orderers count an identity once.
  if (new SignerList([...signers, identity]).signers.length === list.signers.length) return false;
  const evaluation = new Evaluation(list);
  const { changes } = await call.run(applyInSteps(config, update, name));
  const judgements = await call.run(judgeInSteps(state.policies, changes, evaluation));
  const canSatisfy = (principal: Principal): boolean =>
    isSatisfiable(principal, (mspid) => manager.msps.has(mspid));
  for (const policy of policiesOf(judgements)) {
    await call.pause();
    if (!evaluation.satisfied(policy) && helps(identity, remainingNeed(policy, evaluation, canSatisfy)))
      return true;
  }
  return false;
}

/** Whether a signer is needed. */
function helps(signer: Signer, need: Need): boolean {
  if (need.kind === 'principal') return signer.satisfies(need.principal);
  return need.kind === 'some' && need.of.some((each) => helps(signer, each));
}
