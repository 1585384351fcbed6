// Membership service providers and principals (specification section 6.2).

import type { Message } from '../message.js';
import { Refusal, type Treatments } from '../treatment.js';

const CONFIGS: ReadonlyMap<number, string> = new Map([
  [0, 'msp.FabricMSPConfig'],
  [1, 'msp.IdemixMSPConfig'],
]);

const PRINCIPALS: ReadonlyMap<number, string> = new Map([
  [0, 'common.MSPRole'],
  [1, 'common.OrganizationUnit'],
  [2, 'msp.SerializedIdentity'],
]);

function configOf(msp: Message): string | Refusal {
  const type = msp.int('type');
  return CONFIGS.get(type) ?? new Refusal(`unable to decode MSP type: ${String(type)}`);
}

function principalOf(principal: Message): string | Refusal {
  const field = principal.plan.byName.get('principal_classification')!;
  const number = principal.int('principal_classification');
  const name = field.enum!.names.get(number) ?? String(number);
  return PRINCIPALS.get(number) ?? new Refusal(`unable to decode MSP type: ${name}`);
}

export const msp: Treatments = {
  'msp.MSPConfig': { go: '*mspext.MSPConfig', opens: { config: configOf } },
  'common.MSPPrincipal': { go: '*mspext.MSPPrincipal', opens: { principal: principalOf } },
};
