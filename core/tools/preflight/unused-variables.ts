// Variables that have no effect, because the file of the node does not have their section.

import type { FabricVersion } from '../../../translator/channel/index.js';
import { ineffectiveVariables, type NodeValues } from '../../../config/index.js';
import { finding, type Finding } from './cause.js';
import { ordererKeys } from './orderer-keys.js';

const CRYPTO = ['Default', 'SW.Hash', 'SW.Security', 'PKCS11.Library', 'PKCS11.Label', 'PKCS11.Pin'];
const CONSENSUS = ['WALDir', 'SnapDir', 'EvictionSuspicion', 'TickIntervalOverride'];

/** A warning for each section that variables name and the file does not have. */
export function unusedVariables(node: NodeValues, fabric: FabricVersion): Finding[] {
  const keys =
    node.kind === 'peer'
      ? CRYPTO.map((key) => `peer.BCCSP.${key}`)
      : [
          ...ordererKeys(fabric).keys(),
          ...CRYPTO.map((key) => `General.BCCSP.${key}`),
          ...CONSENSUS.map((key) => `Consensus.${key}`),
        ];
  const { kind, file } = node;
  return ineffectiveVariables(node, keys).map(({ section, names }) =>
    finding('variable-without-effect', `variable ${names[0]}`, { kind, names, section, file: file.name }),
  );
}
