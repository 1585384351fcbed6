// Variables that have no effect, because the file of the node does not have their section.

import type { FabricVersion } from 'fabric-ops-agent/translator/channel';
import { ineffectiveReason, ineffectiveVariables } from '../../../config/index.js';
import type { Found } from './cause.js';
import type { PreflightNode } from './node.js';
import { ordererKeys } from './orderer-file.js';

const CRYPTO = ['Default', 'SW.Hash', 'SW.Security', 'PKCS11.Library', 'PKCS11.Label', 'PKCS11.Pin'];
const CONSENSUS = ['WALDir', 'SnapDir', 'EvictionSuspicion', 'TickIntervalOverride'];

/** A warning for each section that variables name and the file does not have. */
export function unusedVariables(node: PreflightNode, fabric: FabricVersion): Found[] {
  const keys =
    node.kind === 'peer'
      ? CRYPTO.map((key) => `peer.BCCSP.${key}`)
      : [
          ...ordererKeys(fabric),
          ...CRYPTO.map((key) => `General.BCCSP.${key}`),
          ...CONSENSUS.map((key) => `Consensus.${key}`),
        ];
  return ineffectiveVariables(node.source, keys).map(({ section, names }) => ({
    id: 'variable-without-effect',
    severity: 'warning',
    says: '',
    means: `${names.join(', ')}: no effect: ${ineffectiveReason(node.kind, section, node.file.name)}`,
    where: `variable ${names[0]}`,
    todo: `write ${section} into the file; then the variables override it`,
  }));
}
