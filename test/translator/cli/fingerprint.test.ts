// The program of the cookbook that computes a fingerprint without this project.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { fingerprintOf, readEnvelope } from '../../../translator/channel/index.js';
import { fileBlock } from '../../helpers/markdown.js';
import { readVectors } from '../../helpers/channel-vectors.js';
import { temporaryFolder } from '../../helpers/folder.js';

test('the Python program of the cookbook prints the fingerprints of signed and unsigned envelopes', (t) => {
  const program = fileBlock(readFileSync('translator/cli/README.md', 'utf8'), 'fingerprint.py');
  const directory = temporaryFolder(t, { 'fingerprint.py': program });
  const file = join(directory, 'update.pb');
  for (const { before, after } of readVectors<readonly { before: string; after: string }[]>(
    'sign-cases',
  ).slice(0, 3))
    for (const envelope of [before, after]) {
      const bytes = Buffer.from(envelope, 'base64');
      writeFileSync(file, bytes);
      const printed = execFileSync('python3', [join(directory, 'fingerprint.py'), file], {
        encoding: 'utf8',
      });
      t.is(printed, `${fingerprintOf(readEnvelope(bytes).update.bytes)}\n`);
    }
});
