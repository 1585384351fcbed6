// Stage: the update has one meaning only. An orderer may accept other ones, but nobody should sign them: the signature could count for
// something else (Fabric's protoutil/signeddata.go does not separate what a signature is for).

import { canonicalFault } from '../../../proto/typed.js';
import { CommonConfigUpdate } from '../../../proto/messages.js';
import type { Facts } from '../facts/gather.js';
import type { Finding } from '../finding.js';

export function understoodFindings({ file }: Facts): Finding[] {
  const fault = canonicalFault(CommonConfigUpdate, file.update.bytes);
  if (fault === undefined) return [];
  return [
    {
      id: 'update-not-canonical',
      severity: 'refused',
      path: '',
      text: `the update has content that is not understood: ${fault}; an orderer may accept it, but nobody should sign it`,
      todo: 'make the update again from two configs, and ask who made this one',
    },
  ];
}
