// Hazards: the size of batches.

import { hazard, type Finding } from '../finding.js';
import { configEnvelopeSize } from '../stages/final-size.js';
import { absoluteMaxBytes } from '../stages/submission.js';
import type { State } from '../facts/state.js';

/** A small update with two signatures. */
const SMALL_UPDATE = 3000;

export function batchHazards({ config }: State): Finding[] {
  const limit = absoluteMaxBytes(config);
  const needed = configEnvelopeSize(config, undefined).least + SMALL_UPDATE;
  if (limit >= needed) return [];
  return [
    hazard(
      'danger',
      'absolute-max-bytes-small',
      '/Channel/Orderer/BatchSize',
      `AbsoluteMaxBytes ${limit} is less than a message with the whole config, about ${needed} bytes: no further config update fits, not even one that raises it`,
      'set AbsoluteMaxBytes to at least twice the size of the config; 10485760 is usual',
    ),
  ];
}
