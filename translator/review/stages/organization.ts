// An organisation of any group: its values and the id of its MSP (Fabric's common/channelconfig/organization.go). The set-up of its
// MSP is checked elsewhere.

import type { ConfigGroup } from '../../config/element.js';
import { mspIdOf } from '../../config/msp-id.js';
import type { GroupKind } from '../../config/values.js';
import type { Refusal } from '../finding.js';
import { valueRefusals } from './group-values.js';

/** Checks the values of an organisation. */
export function organizationRefusals(
  name: string,
  group: ConfigGroup,
  kind: GroupKind,
  path: string,
): Refusal[] {
  const garbage = valueRefusals(group, kind, path);
  if (garbage.length > 0 || !group.values.has('MSP') || mspIdOf(group) !== '') return garbage;
  return [
    {
      id: 'msp-id-empty',
      orderer: `MSP for org ${name} has empty MSP ID`,
      path: `${path}/MSP`,
      text: `the MSP of the organisation ${name} has no id`,
      todo: 'set the name of the MSP',
    },
  ];
}
