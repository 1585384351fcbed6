// Stage: the size of the config envelope that the orderer makes of the update (Fabric's orderer/common/msgprocessor/
// standardchannel.go, ProcessConfigUpdateMsg, and sizefilter.go).

import type { Config } from '../../config/element.js';
import type { Submission } from '../../config/file.js';
import { writeConfig } from '../../config/write.js';
import type { Facts } from '../facts/gather.js';
import { refused, type Finding } from '../finding.js';
import { absoluteMaxBytes } from './submission.js';

/** The serialized identity and the signature of an orderer are not known; with a usual certificate they have about 900 bytes. */
const ORDERER = { least: 500, most: 2500 } as const;
/** Headers, nonce and lengths. */
const AROUND = 80;

const PATH = '/Channel/Orderer/BatchSize';

/** The size of the config envelope with the least and with a large identity of an orderer, in bytes. */
export function configEnvelopeSize(
  after: Config,
  envelope: Submission | undefined,
): { readonly least: number; readonly most: number } {
  const update = envelope === undefined ? 0 : envelope.payload.length + envelope.signature.length;
  const known = writeConfig(after).length + update + AROUND;
  return { least: known + ORDERER.least, most: known + ORDERER.most };
}

/** The current AbsoluteMaxBytes counts, also for an update that changes it. */
export function finalSizeFindings({ before, after, file }: Facts): Finding[] {
  const limit = absoluteMaxBytes(before.config);
  const { least, most } = configEnvelopeSize(after.config, file.envelope);
  if (most <= limit) return [];
  const todo = 'make the config smaller, for example by removing old certificates; the present limit counts';
  if (least <= limit)
    return [
      {
        id: 'config-nearly-too-large',
        severity: 'warning',
        path: PATH,
        text: `with the resulting config the message has about ${least} to ${most} bytes, AbsoluteMaxBytes is ${limit}: the orderer may refuse it`,
        todo: 'raise AbsoluteMaxBytes before the config grows further',
      },
    ];
  return [
    refused('config update for existing channel did not pass final checks: ', {
      id: 'config-too-large',
      orderer: 'message payload is …',
      path: PATH,
      text: `with the resulting config the message has at least ${least} bytes, more than AbsoluteMaxBytes, ${limit}`,
      todo,
    }),
  ];
}
