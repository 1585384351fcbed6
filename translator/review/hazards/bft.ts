// Hazards: the consenters and options of a BFT channel (Fabric's orderer/consensus/smartbft).

import { TranslateError } from '../../../proto/errors.js';
import { parseDuration } from '../../../core/common/text/go-duration.js';
import { readBftOptions, valueOrEmpty, type BftConsenter, type BftOptions } from '../../config/values.js';
import { certificateIn } from '../../msp/read-pem.js';
import { hazard, type Finding } from '../finding.js';
import { ordererOf, type State } from '../facts/state.js';

const PATH = '/Channel/Orderer/Orderers';
const OPTIONS_PATH = '/Channel/Orderer/ConsensusType';

export function bftHazards(state: State): Finding[] {
  const orderer = ordererOf(state);
  const { type, metadata } = valueOrEmpty(orderer, 'orderer', 'ConsensusType');
  if (type !== 'BFT') return [];
  const { consenterMapping } = valueOrEmpty(orderer, 'orderer', 'Orderers');
  return [
    ...duplicateIds(consenterMapping),
    ...consenterMapping.flatMap((consenter) => identityHazards(consenter, state)),
    ...optionHazards(metadata),
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

/** The options that are durations. */
const DURATIONS = [
  'requestBatchMaxInterval',
  'requestForwardTimeout',
  'requestComplainTimeout',
  'requestAutoRemoveTimeout',
  'viewChangeResendInterval',
  'viewChangeTimeout',
  'leaderHeartbeatTimeout',
  'collectTimeout',
] as const satisfies readonly (keyof BftOptions)[];

function optionHazards(metadata: Uint8Array): Finding[] {
  const options = tryOptions(metadata);
  if (options === undefined) return [];
  return DURATIONS.flatMap((name) => {
    const duration = parseDuration(options[name]);
    if ('nanoseconds' in duration && duration.nanoseconds > 0n) return [];
    const option = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    return [
      hazard(
        'danger',
        'bft-duration',
        OPTIONS_PATH,
        `${option} ${JSON.stringify(options[name])} is not a positive duration: orderers do not start with it`,
        'set a duration with a unit, for example 20s',
      ),
    ];
  });
}

function tryOptions(metadata: Uint8Array): BftOptions | undefined {
  try {
    return readBftOptions(metadata);
  } catch (error) {
    if (error instanceof TranslateError) return undefined;
    throw error;
  }
}
