// Policies (specification section 6.2).

import type { Message } from '../message.js';
import { Refusal, type Treatments } from '../treatment.js';

const POLICIES: ReadonlyMap<number, string> = new Map([
  [1, 'common.SignaturePolicyEnvelope'],
  [3, 'common.ImplicitMetaPolicy'],
]);

function policyOf(policy: Message): string | Refusal {
  const type = policy.int('type');
  return POLICIES.get(type) ?? new Refusal(`unable to decode policy type: ${String(type)}`);
}

export const policies: Treatments = {
  'common.Policy': { go: '*commonext.Policy', opens: { value: policyOf } },
};
