// Copies of recorded channels and updates with new keys: Fabric's own code decides about each copy as about its original.

import test from 'ava';
import { attempt } from '../../proto/errors.js';
import { readConfig, readEnvelope, writeConfig } from '../../translator/channel/index.js';
import { rewriteChannel } from '../../translator/rehearse/rewritten-channel.js';
import { signAgain } from '../../translator/rehearse/signatures.js';
import { Oracle } from '../fuzz/review/oracle.js';
import { bytesIn, readReviewCases } from '../helpers/review-cases.js';
import { findOracle } from './fabric/programs.js';

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

test('v3.0.0 decides about the copies of the recorded updates as about the updates', async (t) => {
  t.timeout(900_000);
  const { now, configs, cases } = readReviewCases();
  const oracle = new Oracle(findOracle('v3.0.0'));
  t.teardown(() => oracle.close());
  const differences: string[] = [];
  let accepted = 0;
  let refused = 0;
  for (const { id, config: name, channel, envelope: recorded } of cases) {
    // Some recorded envelopes are none.
    const original = attempt(
      () => readEnvelope(bytesIn(recorded)),
      () => undefined,
    );
    if (original === undefined) continue;
    const config = readConfig(bytesIn(configs[name]!));
    const copy = await rewriteChannel(config, [original]);
    const signed = signAgain(original, copy.updates[0]!.update, copy);
    const [expected, found] = [
      await oracle.judge({
        config: base64(writeConfig(config)),
        envelope: base64(original.bytes),
        channel,
        now,
      }),
      await oracle.judge({
        config: base64(writeConfig(copy.config)),
        envelope: base64(signed),
        channel,
        now,
      }),
    ];
    if (expected?.accepted !== found?.accepted) differences.push(`${id}: ${found?.text ?? 'no verdict'}`);
    if (expected?.accepted === true) accepted++;
    else if (expected !== undefined) refused++;
  }
  t.deepEqual(differences, []);
  t.true(accepted > 200 && refused > 200, `${accepted} accepted, ${refused} refused`);
});
