// Runs an input with its target.

import type { Input, Outcome, Fixtures } from './target.js';
import { runChannelConfig } from './targets/channel-config.js';

import { runCertificate } from './targets/certificate.js';
import { runConfig } from './targets/config.js';
import { runEnvelope } from './targets/envelope.js';
import { runExposition } from './targets/exposition.js';
import { runHttp } from './targets/http.js';
import { runMessage } from './targets/message.js';
import { runLogspec } from './targets/logspec.js';
import { runPolicy } from './targets/policy.js';
import { runPut } from './targets/put-logspec.js';
import { runStatsd } from './targets/statsd.js';
import { runTranslator } from './targets/translator.js';

const RUNNERS = {
  decode: runTranslator,
  encode: runTranslator,
  message: runMessage,
  form: runTranslator,
  logspec: runLogspec,
  'put-logspec': runPut,
  config: runConfig,
  'channel-config': runChannelConfig,
  http: runHttp,
  statsd: runStatsd,
  exposition: runExposition,
  certificate: runCertificate,
  envelope: runEnvelope,
  policy: runPolicy,
} as const;

/** @throws any error that is not a proper refusal */
export async function run(input: Input, fixtures: Fixtures): Promise<Outcome> {
  return RUNNERS[input.target](input, fixtures);
}
