// Dangers: what orderers accept although it does damage. Checks of one config run before and after the update; what was there before is
// reported only for elements that the update changes.

import { createYielder } from '../../../core/common/flow/yielder.js';
import type { Facts } from '../facts/gather.js';
import type { ChannelState } from '../../state/index.js';
import type { MspFault } from '../../msp/index.js';
import type { Finding, FindingData } from '../../documents/index.js';
import { aclFindings } from './acls.js';
import { addressFindings, lostAnchorFindings, movedAddressFindings } from './addresses.js';
import { blockValidationFindings } from './block-validation.js';
import { bftOptionFindings } from './bft-options.js';
import { capabilityChangeFindings, capabilityFindings } from './capabilities.js';
import {
  bftFindings,
  bftSwitchFindings,
  changedConsenterFindings,
  consenterFindings,
  unreachableFindings,
} from './consenters.js';
import { controlFindings } from './control.js';
import { migrationFindings } from './migration.js';
import { mspChangeFindings } from './msp-changes.js';
import { batchFindings, batchTimeoutFindings, consensusFindings } from './orderer-values.js';
import { organizationFindings } from './organizations.js';
import { modPolicyFindings, policyFindings, removedPolicyFindings } from './policies.js';
import { raftOptionFindings } from './raft-options.js';
import { withServices } from './services.js';
import { cutOffFindings } from './signatures.js';
import { notShownFindings, updateFindings } from './update.js';

/** Looks for dangers in one config. Those that the update does not cause are dropped later. One of long lists lets other code run. */
type StateCheck = (state: ChannelState) => readonly Finding[] | Promise<readonly Finding[]>;

const CHECKS: readonly StateCheck[] = [
  batchFindings,
  batchTimeoutFindings,
  capabilityFindings,
  consensusFindings,
  raftOptionFindings,
  consenterFindings,
  bftFindings,
  bftOptionFindings,
  blockValidationFindings,
  addressFindings,
  organizationFindings,
  policyFindings,
  modPolicyFindings,
  aclFindings,
];

/** What follows from an MSP that is not set up. */
const WITHOUT_MSP = new Set(['msp-ca-without-roles', 'policy-unsatisfiable', 'policy-unknown-msp']);

/** All dangers that an update causes, dangers first. */
export async function dangersOf(facts: Facts): Promise<Finding[]> {
  const {
    before,
    after,
    proposal: { applied },
  } = facts;
  const mspChanges = mspChangeFindings(facts);
  // One cause, one finding: BFT orderers do not reach each other either when their TLS CAs are replaced.
  const moved = facts.unreachable.length > 0 ? [] : movedAddressFindings(before, after);
  const key = ({ id, path, data }: Finding): string => JSON.stringify([id, path, data]);
  const known = new Set((await checked(before)).map(key));
  const changed = new Set(applied.changes.map(({ path }) => path));
  const found = [
    ...(await checked(after)).filter((finding) => !known.has(key(finding)) || changed.has(finding.path)),
    ...lostAnchorFindings(before, after),
    ...moved,
    ...bftSwitchFindings(before, after),
    ...changedConsenterFindings(before, after),
    ...unreachableFindings(facts),
    ...capabilityChangeFindings(before, after),
    ...migrationFindings(facts),
    ...removedPolicyFindings(applied.removed),
    ...(moved.length > 0 ? mspChanges.filter(({ id }) => id !== 'msp-tls-ca-removed') : mspChanges),
    // One cause, one finding.
    ...cutOffFindings(facts).filter(
      ({ path }) => !mspChanges.some((change) => change.path === path && cutsOff(change)),
    ),
    ...controlFindings(facts),
    ...notShownFindings(facts),
    ...updateFindings(applied),
  ];
  const causes = found.some(({ id }) => id === 'policy-weakened')
    ? found.filter((each) => !isCaOfOthers(each))
    : found;
  return sorted(withServices(facts, causes), facts.mspFaults);
}

/** What another organisation does with its CA in an MSP is said by who gains control. */
const isCaOfOthers = ({ id, data }: Finding): boolean =>
  id === 'msp-ca-foreign' && (data as FindingData<'msp-ca-foreign'>).owners.length > 0;

/** Whether a change of an MSP is why a signer does not count any more. */
const cutsOff = ({ id, severity }: Finding): boolean => severity === 'danger' && id !== 'msp-revocation';

/** All dangers in one config, dangers first. */
export const dangersIn = async (state: ChannelState, mspFaults: readonly MspFault[]): Promise<Finding[]> =>
  sorted(await checked(state), mspFaults);

/** Other code runs between two checks. */
async function checked(state: ChannelState): Promise<Finding[]> {
  const yieldIfDue = createYielder(1);
  const found: Finding[] = [];
  for (const check of CHECKS) {
    await yieldIfDue();
    for (const each of await check(state)) found.push(each);
  }
  return found;
}

function sorted(found: readonly Finding[], mspFaults: readonly MspFault[]): Finding[] {
  // Nobody satisfies anything with an MSP that is not set up; its refusal says so.
  const kept = mspFaults.length === 0 ? found : found.filter(({ id }) => !WITHOUT_MSP.has(id));
  return [
    ...kept.filter(({ severity }) => severity === 'danger'),
    ...kept.filter(({ severity }) => severity !== 'danger'),
  ];
}
