// Hazards: what orderers accept although it does damage. Checks of one config run before and after the update; what was there before is
// reported only for elements that the update changes.

import type { Facts } from '../facts/gather.js';
import type { State } from '../facts/state.js';
import type { MspFault } from '../../msp/channel-msps.js';
import type { Finding } from '../finding.js';
import { aclHazards } from './acls.js';
import { addressHazards, movedAddressHazards } from './addresses.js';
import { batchHazards } from './batch.js';
import { bftHazards, bftSwitchHazards } from './bft.js';
import { bftOptionHazards } from './bft-options.js';
import { blockValidationHazards } from './block-validation.js';
import { capabilityHazards } from './capabilities.js';
import { consenterHazards } from './consenters.js';
import { consensusHazards } from './consensus.js';
import { cutOffHazards } from './cut-off.js';
import { migrationHazards } from './migration.js';
import { modPolicyHazards } from './mod-policies.js';
import { mspChangeHazards } from './msp-changes.js';
import { notShownHazards } from './not-shown.js';
import { organizationHazards } from './organizations.js';
import { policyHazards } from './policies.js';
import { removedPolicyHazards } from './removals.js';
import { updateHazards } from './update.js';
import { weakenedPolicyHazards } from './weakened-policies.js';

/** Looks for hazards in one config. Those that the update does not cause are dropped later. */
type StateCheck = (state: State) => readonly Finding[];

const CHECKS: readonly StateCheck[] = [
  batchHazards,
  capabilityHazards,
  consensusHazards,
  consenterHazards,
  bftHazards,
  bftOptionHazards,
  blockValidationHazards,
  addressHazards,
  organizationHazards,
  policyHazards,
  modPolicyHazards,
  aclHazards,
];

/** What follows from an MSP that is not set up. */
const WITHOUT_MSP = new Set(['policy-unsatisfiable', 'policy-unknown-msp']);

/** All hazards that an update causes, dangers first. */
export function hazardsOf(facts: Facts): Finding[] {
  const {
    before,
    after,
    proposal: { applied },
  } = facts;
  const mspChanges = mspChangeHazards(before, after);
  const key = ({ id, path, text }: Finding): string => `${id} ${path} ${text}`;
  const known = new Set(checked(before).map(key));
  const changed = new Set(applied.changes.map(({ path }) => path));
  const found = [
    ...checked(after).filter((finding) => !known.has(key(finding)) || changed.has(finding.path)),
    ...movedAddressHazards(before, after),
    ...bftSwitchHazards(before, after),
    ...migrationHazards(facts),
    ...removedPolicyHazards(applied.removed),
    ...mspChanges,
    // One cause, one finding.
    ...cutOffHazards(facts).filter(({ path }) => !mspChanges.some((change) => change.path === path)),
    ...weakenedPolicyHazards(facts),
    ...notShownHazards(facts),
    ...updateHazards(applied),
  ];
  return sorted(found, facts.mspFaults);
}

/** All hazards in one config, dangers first. */
export const hazardsIn = (state: State, mspFaults: readonly MspFault[]): Finding[] =>
  sorted(checked(state), mspFaults);

const checked = (state: State): Finding[] => CHECKS.flatMap((check) => check(state));

function sorted(found: readonly Finding[], mspFaults: readonly MspFault[]): Finding[] {
  // Nobody satisfies anything with an MSP that is not set up; its refusal says so.
  const kept = mspFaults.length === 0 ? found : found.filter(({ id }) => !WITHOUT_MSP.has(id));
  return [
    ...kept.filter(({ severity }) => severity === 'danger'),
    ...kept.filter(({ severity }) => severity !== 'danger'),
  ];
}
