// config check as a user who may not read a file of the node. Root may read every file, so it gives up this right first.

import { execFile } from 'node:child_process';
import { chmodSync, chownSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { makeCertificates } from '../../helpers/certificate-set.js';
import { temporaryFolder } from '../../helpers/folder.js';

const MAIN = fileURLToPath(new URL('../../../core/main.js', import.meta.url));
const OWNER = 4711;
const isRoot = process.getuid?.() === 0;
const RIGHTS = '--bounding-set=-dac_override,-dac_read_search';
const [PROGRAM, ARGUMENTS] = isRoot
  ? ['setpriv', [RIGHTS, process.execPath, MAIN]]
  : [process.execPath, [MAIN]];

test('config check names a key that this user may not read, its owner, and what to do', async (t) => {
  const { ca, server } = makeCertificates();
  const directory = temporaryFolder(t, {
    'orderer.yaml': `
General: { LocalMSPDir: . }
Operations: { ListenAddress: 127.0.0.1:9443 }
Metrics: { Provider: prometheus }
ChannelParticipation: { Enabled: true }
Admin:
  ListenAddress: 127.0.0.1:9442
  TLS: { Enabled: true, Certificate: ${server.cert}, PrivateKey: ${server.key}, RootCAs: [${ca.cert}], ClientRootCAs: [${ca.cert}] }
`,
  });
  if (isRoot) chownSync(server.key, OWNER, OWNER);
  chmodSync(server.key, isRoot ? 0o600 : 0);
  const args = ['config', 'check', '--beside', join(directory, 'orderer.yaml')];
  const { status, text } = await new Promise<{ status: unknown; text: string }>((resolve) => {
    execFile(PROGRAM, [...ARGUMENTS, ...args], (error, _, stderr) =>
      resolve({ status: error?.code, text: stderr }),
    );
  });
  t.is(status, 1);
  const line = text.split('\n').find((each) => each.includes('cannot be read by'));
  t.regex(
    line ?? text,
    /^fabric-ops-agent: error: plugin orderer\/participation: options\.key: \S+ \(mode \d+\) cannot be read by the user \w+; its owner is [\w ]+: run the agent as that user, let its group or an ACL read it, or set node\.cert and node\.key to files of the agent$/,
  );
});
