// Compares a review with the verdict of Fabric's own code.

import { createHash } from 'node:crypto';
import { TranslateError } from '../../../proto/errors.js';
import { applyUpdate } from '../../../translator/channel/apply.js';
import { readConfigFile, readUpdateFile } from '../../../translator/channel/file.js';
import { writeConfig } from '../../../translator/channel/write.js';
import { review } from '../../../translator/review/review.js';
import { agree } from '../../helpers/review-cases.js';
import type { ReviewInput } from './cases.js';
import type { Verdict } from './oracle.js';

/** What a review says. */
interface Said {
  readonly accepted: boolean;
  readonly texts: readonly string[];
  /** Fabric may report what follows from a capability that it does not support first. */
  readonly isUnsupported: boolean;
  /** A review refuses what is not understood, whatever orderers do. */
  readonly isForeign: boolean;
  /** A review does not check MSPs of the type idemix. */
  readonly isIdemix: boolean;
  readonly resultSha256: string | undefined;
}

/** The review of an input. Input that is no config update is refused. */
async function say(input: ReviewInput, fabric: string): Promise<Said> {
  try {
    const file = readUpdateFile(input.envelope);
    const block = readConfigFile(input.config);
    const { accepted, findings } = await review(file, block, {
      now: input.now,
      fabric: [fabric],
      active: input.active && new Set(input.active.map((id) => id - 1)),
    });
    const { config } = applyUpdate(block.config, file.update, input.channel);
    return {
      accepted,
      texts: findings.flatMap(({ orderer }) => orderer ?? []),
      isForeign: findings.some(({ id }) => id === 'update-not-canonical'),
      isIdemix: findings.some(({ id }) => id === 'msp-idemix'),
      isUnsupported: findings.some(({ id }) => id === 'capability-unsupported'),
      resultSha256: createHash('sha256').update(writeConfig(config)).digest('hex'),
    };
  } catch (error) {
    if (!(error instanceof TranslateError)) throw error;
    return {
      accepted: false,
      texts: [],
      isUnsupported: false,
      isForeign: false,
      isIdemix: false,
      resultSha256: undefined,
    };
  }
}

/**
 * A text without what cannot be compared: dumps of certificates, Go's words for malformed ones, the spaces that Go adds to printed messages
 * at random, bytes that are not UTF-8, which the program's JSON replaces, a rule that is absent, for which version 2.5 has the words for an
 * empty one, and the group with the second version of an MSP: Fabric reads the groups of the channel in the order of a Go map, which is
 * random (common/channelconfig/channel.go, `NewChannelConfig`).
 */
const comparable = (text: string): string =>
  text
    .replaceAll(/[^ -~…]/g, '')
    .replaceAll(/ +(?=[ \]])/g, '')
    .replace('Unknown type: <nil>:<nil>', 'Empty policy element')
    .replace('proto: string field', 'string field')
    .replace(
      /channel \w+ (?=sub-group config: Attempted to define two different versions of MSP)/,
      'channel ',
    )
    .replace(/^panic: /, '')
    .replace(/\[&\{.*\}\]/, '[certificate]')
    .replace(/asn1: (?:syntax|structure) error: .*/, 'asn1: …')
    .replace(/x509: (?:malformed|invalid) .*/, 'x509: …');

/** How a review differs from the verdict; undefined if it does not. */
export async function differenceFrom(
  verdict: Verdict,
  input: ReviewInput,
  fabric: string,
): Promise<string | undefined> {
  let said: Said;
  try {
    said = await say(input, fabric);
  } catch (error) {
    return `threw ${(error as Error).name}: ${(error as Error).message}`;
  }
  if (said.isForeign || said.isIdemix) return undefined;
  // Without an effect of V3_0, version 2.5 asks for addresses before it reads the other values.
  if (!said.accepted && fabric.startsWith('2.5') && verdict.text.endsWith('Must set some OrdererAddresses'))
    return undefined;
  // For metadata of another consensus type, version 2.5 reports the options as zero instead of missing.
  if (
    !said.accepted &&
    !verdict.accepted &&
    fabric.startsWith('2.5') &&
    said.texts.some((text) => text.endsWith('nil Raft config metadata options'))
  )
    return undefined;
  if (said.accepted && !verdict.accepted) return `accepted, but Fabric says: ${verdict.text}`;
  if (!said.accepted && verdict.accepted) return `refused, but Fabric accepts: ${said.texts.join(' | ')}`;
  if (verdict.accepted && verdict.resultSha256 !== said.resultSha256) return 'another resulting config';
  if (
    verdict.accepted ||
    said.isUnsupported ||
    said.texts.length === 0 ||
    said.texts.some((text) => agree(comparable(text), comparable(verdict.text)))
  )
    return undefined;
  return `refused with other words: ${said.texts.join(' | ')}; Fabric says: ${verdict.text}`;
}
