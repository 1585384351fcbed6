// An order of signatures that satisfies the policies of the changed elements.

import { is, requireTypes } from '../../proto/arguments.js';
import { applyInSteps, type ConfigFile, readConfigUpdate, resultTypes } from '../channel/index.js';
import { LongCall, type CallOptions, CALL } from '../long-call.js';
import { SignerList, Evaluation, judgeInSteps, policiesOf, findOrder } from '../policy/index.js';
import type { SignatureOrder } from '../sign/index.js';
import { ChannelState } from '../state/index.js';
import { checkSignatures } from '../rules/index.js';

/** The order for `merge`: one that satisfies all policies of a channel if it is found; ignored signatures stay at the end. */
export function signatureOrderFor(
  block: Pick<ConfigFile, 'config' | 'channel'>,
  options: Pick<CallOptions, 'signal'> = {},
): SignatureOrder {
  requireTypes(
    { block, options },
    { block: resultTypes.configFile, options: is.only({ signal: CALL.signal }) },
  );
  const { config, channel } = block;
  return async (update, signatures) => {
    const call = new LongCall(options);
    const state = new ChannelState(config, { call });
    await state.readAhead();
    const { manager } = await state.msps;
    const checked = await checkSignatures(update, signatures, manager, call);
    const list = new SignerList(checked.flatMap(({ identity }) => identity ?? []));
    const { changes } = await call.run(applyInSteps(config, readConfigUpdate(update), channel));
    const judgements = await call.run(judgeInSteps(state.policies, changes, new Evaluation(list)));
    const order = await call.run(findOrder(policiesOf(judgements), list));
    if (order === undefined) return signatures;
    const indexes = order.map((at) => checked.findIndex(({ identity }) => identity === list.signers[at]));
    const others = [...signatures.keys()].filter((index) => !indexes.includes(index));
    return [...indexes, ...others].map((index) => signatures[index]!);
  };
}
