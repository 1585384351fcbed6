// Stage: read set, write set, versions, names and mod_policies (Fabric's common/configtx/update.go).

import type { Fault } from '../../config/apply.js';
import type { Proposal } from '../facts/proposal.js';
import { applyingTo, refused, type Finding } from '../finding.js';

const PLAIN: Readonly<Record<Fault['rule'], readonly [text: string, todo: string]>> = {
  channel: ['the update is for another channel', 'compute the update with the name of this channel'],
  name: [
    'a name of the update is not allowed',
    'use 1 to 249 letters, digits, dots and dashes; one or two dots alone are not allowed',
  ],
  'read-set': [
    'the update was not computed from this config: an element that it depends on has another version',
    'make the update anew for the newest config block: configtxlator rebase FILE --block BLOCK',
  ],
  empty: [
    'the update changes nothing',
    'compute it from the current config and a changed one, in this order',
  ],
  'mod-policy': [
    'a changed element has no valid mod_policy',
    'set mod_policy to the name of a policy, for example Admins, or to a path such as /Channel/Application/Admins',
  ],
  version: [
    'the update was not computed from this config: a changed element does not have the next version',
    'make the update anew for the newest config block: configtxlator rebase FILE --block BLOCK',
  ],
};

/** The faults of the update itself, in the order of Fabric's checks. */
export function versionFindings({ channel, applied }: Proposal): Finding[] {
  return applied.faults.map(({ rule, text, path = '' }) => {
    const [plain, todo] = PLAIN[rule];
    return refused(`${applyingTo(channel)}error authorizing update: `, {
      id: `update-${rule}`,
      orderer: text,
      path,
      text: plain,
      todo,
    });
  });
}
