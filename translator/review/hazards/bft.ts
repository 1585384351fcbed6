// Hazards: the consenters of a BFT channel (Fabric's orderer/consensus/smartbft).

import { valueOrEmpty, type BftConsenter } from '../../config/values.js';
import { certificateIn } from '../../msp/read-pem.js';
import { hazard, type Finding } from '../finding.js';
import { policyRefusals } from '../stages/bft.js';
import { ordererOf, type State } from '../facts/state.js';

const PATH = '/Channel/Orderer/Orderers';

export function bftHazards(state: State): Finding[] {
  const orderer = ordererOf(state);
  const { type } = valueOrEmpty(orderer, 'orderer', 'ConsensusType');
  if (type !== 'BFT') return [];
  const { consenterMapping } = valueOrEmpty(orderer, 'orderer', 'Orderers');
  return [
    ...duplicateIds(consenterMapping),
    ...consenterMapping.flatMap((consenter) => identityHazards(consenter, state)),
    ...zeroIds(consenterMapping),
  ];
}

/**
 * BlockValidation that does not fit after a switch to BFT: the filters of maintenance do not look at it (Fabric's
 * orderer/common/msgprocessor/maintenancefilter.go), and each later update is refused until it fits.
 */
export const bftSwitchHazards = (before: State, after: State): Finding[] =>
  isBft(before) ? [] : bftPolicyHazards(after);

const isBft = (state: State): boolean =>
  valueOrEmpty(ordererOf(state), 'orderer', 'ConsensusType').type === 'BFT';

/** The same in a config by itself: orderers load it. */
export function bftPolicyHazards(state: State): Finding[] {
  const orderer = ordererOf(state);
  if (!isBft(state) || orderer === undefined) return [];
  return policyRefusals(orderer)
    .filter(({ id }) => id === 'bft-block-validation')
    .map(({ path, text, todo }) =>
      hazard(
        'danger',
        'bft-switch-policy',
        path,
        `${text}: until then each orderer alone can make blocks that all accept, and orderers refuse every other update`,
        todo,
      ),
    );
}

/** orderer/consensus/smartbft/util/util.go: `node id 0 which is not permitted`. */
function zeroIds(consenters: readonly BftConsenter[]): Finding[] {
  if (consenters.every(({ id }) => id !== 0)) return [];
  return [
    hazard(
      'danger',
      'bft-id-zero',
      PATH,
      'a consenter has the id 0, which is not permitted: the orderers stop when they apply it, and again at each start',
      'give the consenter an id of 1 or more',
    ),
  ];
}

function duplicateIds(consenters: readonly BftConsenter[]): Finding[] {
  const seen = new Set<number>();
  const twice = new Set<number>();
  for (const { id } of consenters) (seen.has(id) ? twice : seen).add(id);
  return [...twice].map((id) =>
    hazard(
      'danger',
      'bft-id-duplicate',
      PATH,
      `two consenters have the id ${id}: the orderers die when they apply it, and again at each start`,
      'give each consenter its own id',
    ),
  );
}

function identityHazards({ id, mspId, identity, ...tls }: BftConsenter, { msps }: State): Finding[] {
  const findings: Finding[] = [];
  if (!msps.msps.has(mspId))
    findings.push(
      hazard(
        'danger',
        'bft-msp-unknown',
        PATH,
        `the consenter ${id} has the MSP id ${JSON.stringify(mspId)}, which no organisation of the channel has: its signatures do not count`,
        'set the MSP id of its orderer organisation',
      ),
    );
  const certificates = [
    ['identity', identity],
    ['client TLS certificate', tls.clientTlsCert],
    ['server TLS certificate', tls.serverTlsCert],
  ] as const;
  for (const [name, pem] of certificates)
    if (certificateIn(pem) === undefined)
      findings.push(
        hazard(
          'danger',
          'bft-certificate',
          PATH,
          `the ${name} of the consenter ${id} is not a certificate: it cannot take part`,
          'set it to a certificate in PEM',
        ),
      );
  return findings;
}
