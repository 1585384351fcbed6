// The program of a console's author: from the newest config of a real network to a block with a change. It is compiled in strict TypeScript and
// run in a project with the packed package.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { guardFolder } from '../helpers/guard.js';
import { startNetwork } from './fabric/network.js';
import { CHANNEL } from './fabric/network-files.js';
import { translatorAs, untilServed } from './fabric/live-channel.js';
import { install, PACKAGE, packRelease, ROOT, run, TSC } from './npm.js';

const { name } = PACKAGE;
const MAX_LINES = 40;

const PROGRAM = `
import { readFileSync } from 'node:fs';
import {
  blockBytes, decode, findSigningIdentity, Network, readConfigFile, readSignerFiles, readUpdateFile, review,
  setByPath, signEnvelope, summaryOf, unsignedUpdate, verdictOf, signatureCounts,
} from '${name}/translator';

const [address = '', channel = '', ca = '', admin = '', mspid = ''] = process.argv.slice(2);
const signer = await findSigningIdentity({ mspid, ...readSignerFiles(admin) });
const network = await Network.connect({ channel, orderers: [address], signer, tls: { cas: readFileSync(ca) } });
try {
  const bytes = blockBytes(await network.newestConfig({ signal: AbortSignal.timeout(60_000) }));
  const decoded = JSON.parse(decode('common.Block', bytes)) as { header: { number: string } };
  console.log('block', decoded.header.number);

  const block = readConfigFile(bytes);
  const edited = setByPath(block.config, 'orderer.batchSize.maxMessageCount', '51');
  const update = unsignedUpdate(block.config, edited.config, channel);

  const before = await review(update, block, { isNewest: true });
  console.log(verdictOf(before), '-', summaryOf(before));
  for (const step of before.steps) if (step.do === 'sign') console.log('sign:', step.who);
  console.log('counts:', await signatureCounts(update, block, signer));

  const signed = await signEnvelope(update.bytes, signer);
  console.log('counts:', await signatureCounts(readUpdateFile(signed), block, signer));
  const submitted = await network.submit(signed, {
    signal: AbortSignal.timeout(60_000),
    onProgress: (progress) => {
      if (progress.kind === 'review') console.log(verdictOf(progress.review), '-', summaryOf(progress.review));
    },
  });
  console.log(submitted.kind, submitted.kind === 'accepted' ? submitted.delivered.block : '');
} finally {
  network.close();
}
`;

test('decode, edit, review, sign and submit in at most 40 lines', async (t) => {
  t.timeout(300_000);
  t.true(PROGRAM.trim().split('\n').length <= MAX_LINES);
  const network = await startNetwork(t);
  const { address, identity } = network.orderers[0];
  await untilServed(translatorAs(t, network, identity), network.orderers[0]);
  const project = mkdtempSync(join(tmpdir(), 'console-'));
  guardFolder(project);
  t.teardown(() => rmSync(project, { recursive: true, force: true }));
  writeFileSync(join(project, 'package.json'), '{ "name": "console", "private": true, "type": "module" }');
  install(project, `./${packRelease(project).filename}`);
  writeFileSync(join(project, 'console.ts'), PROGRAM);
  const typeRoots = join(ROOT, 'node_modules/@types');
  const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'];
  const target = ['--target', 'es2023', '--module', 'nodenext', '--types', 'node', '--typeRoots', typeRoots];
  run(TSC, project, '--pretty', 'false', ...strict, ...target, 'console.ts');
  const output = run(
    process.execPath,
    project,
    'console.js',
    address,
    CHANNEL,
    identity.tls.ca,
    identity.admin,
    identity.mspId,
  );
  t.is(
    output,
    `block 0
unsigned - harmless: 10 → 51 messages a block; signatures missing: ${identity.mspId}.admin
sign: ${identity.mspId}.admin
counts: true
counts: false
harmless - harmless: 10 → 51 messages a block; orderers would accept it
accepted 1n
`,
  );
});
