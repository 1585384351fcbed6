// Creates the inputs: random bytes and corrupted samples of each target.

import { messageNames } from '../../proto/index.js';
import { mutate } from './mutate.js';
import { mutateJson } from './mutate-json.js';
import { mutateLines } from './mutate-lines.js';
import { createRandom, type Random } from './random.js';
import { SERVERS, TARGETS, type Input, type TargetName } from './target.js';
import { channelConfigSamples } from './targets/channel-config.js';

import { certificateSamples } from './targets/certificate.js';
import { envelopeSamples } from './targets/envelope.js';
import { configSamples, YAML_WORDS } from './targets/config.js';
import { EXPOSITION_WORDS, expositionSamples, mutateExposition } from './targets/exposition.js';
import { HTTP_WORDS, httpSamples, mutateRequest } from './targets/http.js';
import { LOGSPEC_WORDS, logspecSamples, logspecText } from './targets/logspec.js';
import { messageSamples } from './targets/message.js';
import { POLICY_WORDS, policySamples } from './targets/policy.js';
import { putSamples } from './targets/put-logspec.js';
import { statsdInput } from './targets/statsd.js';
import { translatorSamples } from './targets/translator-samples.js';

/** Longest random input, in bytes. */
const MAX_RANDOM = 60;

const names = messageNames();

/** Samples by target. */
export type Samples = ReadonlyMap<TargetName, readonly Input[]>;

/** Reads the samples; statsd needs none. */
export function readSamples(targets: readonly TargetName[] = TARGETS, more: readonly Input[] = []): Samples {
  const inputs = [
    ...translatorSamples(),
    ...messageSamples(),
    ...logspecSamples(),
    ...putSamples(),
    ...configSamples(),
    ...channelConfigSamples(),
    ...httpSamples(),
    ...expositionSamples(),
    ...certificateSamples(),
    ...envelopeSamples(),
    ...policySamples(),
    ...more,
  ];
  return new Map(targets.map((name) => [name, inputs.filter(({ target }) => target === name)]));
}

/** The input of a run, which depends only on seed, number and samples. */
export function makeInput(samples: Samples, seed: number, number: number): Input {
  const random = createRandom(Math.imul(seed, 0x9e3779b1) + number);
  const target = random.pick([...samples.keys()]);
  // Its inputs are generated from unusual pieces already.
  if (target === 'statsd') return statsdInput(random);
  if ((target === 'logspec' || target === 'put-logspec') && random.below(2) === 0)
    return { target, type: '', bytes: Buffer.from(madeSpec(target, random)) };
  if (random.below(10) === 0)
    return { target, type: anyType(target, random), bytes: random.bytes(random.below(MAX_RANDOM)) };
  const sample = random.pick(samples.get(target) ?? []);
  const type = random.below(16) === 0 ? anyType(target, random) : sample.type;
  return { target, type, bytes: changed(sample, random) };
}

function madeSpec(target: TargetName, random: Random): string {
  const spec = logspecText(random);
  return target === 'logspec' ? spec : JSON.stringify({ spec });
}

function anyType(target: TargetName, random: Random): string {
  if (target === 'http') return random.pick(SERVERS);
  return ['decode', 'encode', 'message'].includes(target) ? random.pick(names) : '';
}

const bytesOf = (words: readonly string[]): Buffer[] => words.map((word) => Buffer.from(word));
const WORDS: Readonly<Partial<Record<TargetName, readonly Buffer[]>>> = {
  logspec: bytesOf(LOGSPEC_WORDS),
  config: bytesOf(YAML_WORDS),
  exposition: bytesOf(EXPOSITION_WORDS),
  policy: bytesOf(POLICY_WORDS),
  http: HTTP_WORDS.map((word) => Buffer.from(word, 'latin1')),
};

function changed({ target, bytes }: Input, random: Random): Buffer {
  const isKept = random.below(4) > 0;
  if (target === 'encode' && isKept) return mutateJson(bytes, random);
  if (target === 'config' && isKept) return mutateLines(bytes, random, YAML_WORDS);
  if (target === 'exposition' && isKept) return mutateExposition(bytes, random);
  if (target === 'http' && isKept) return mutateRequest(bytes, random);
  return mutate(bytes, random, WORDS[target]);
}
