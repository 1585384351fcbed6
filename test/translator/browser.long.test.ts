// The library in an environment like a browser: bundled for browsers, and run with only the globals of browsers.

import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import test from 'ava';
import { build } from 'esbuild';
import { readChannelCases } from '../helpers/channel-cases.js';
import { certificateOf, IDENTITIES, readVectors } from '../helpers/channel-vectors.js';

const { configs, cases } = readChannelCases();
const UPDATE = cases.find(({ propose }) => propose)!;
const ENVELOPE = Buffer.from(readVectors<readonly { before: string }[]>('sign-cases')[0]!.before, 'base64');

const FOR_BROWSERS = {
  bundle: true,
  platform: 'browser',
  target: 'es2023',
  write: false,
  logLevel: 'silent',
} as const;

/** The code that runs in the bundle; its result is JSON, because objects of another context have other prototypes. */
const PROGRAM = `
import { applyEdit, channelDocument, documentText, mergeEnvelopes, readConfigFile, readSigningIdentity, readUpdateFile, review, signEnvelope, summariseChannel, summariseUpdate, verifyUpdate } from 'fabric-ops-agent/translator';
import { applyUpdate } from 'fabric-ops-agent/translator/channel';
import { setupChannelMsps } from 'fabric-ops-agent/translator/msp';
import { describePolicy, createPolicies, findPolicy } from 'fabric-ops-agent/translator/policy';

globalThis.result = (async () => {
  const { config, update, envelope, signer, now } = globalThis.inputs;
  const file = readConfigFile(config);
  const { update: content } = readUpdateFile(update);
  const applied = applyUpdate(file.config, content);
  const { manager, faults } = await setupChannelMsps(file.config);
  const identity = await readSigningIdentity(signer);
  const signed = await signEnvelope(envelope, identity, new Date(now));
  const merged = await mergeEnvelopes([signed, envelope]);
  return JSON.stringify({
    text: documentText(channelDocument(await summariseChannel(file), new Date(now))).split('\\n', 2),
    changes: summariseUpdate(readUpdateFile(update), new Date(now)).changes.length,
    applied: applied.changes.length,
    isIn: [verifyUpdate(content, applied.config).isIn, verifyUpdate(content, file.config).isIn],
    msps: [...manager.msps.keys()].sort(),
    faults,
    policy: describePolicy(findPolicy(createPolicies(file.config.channelGroup).root, 'Application/Admins')),
    review: (await review(readUpdateFile(update), file, { now: new Date(now) })).accepted,
    edited: typeof (await applyEdit(file.config, 'acl set', { resource: 'qscc/GetChainInfo', policy: '/Channel/Application/Admins' })).config.sequence,
    signatures: [readUpdateFile(signed).signatures.length, merged.signatures.length],
  });
})();
`;

/** They read files, open connections and start programs. */
const NODE_ONLY = new Set(['./translator/node', './translator/orderer', './translator/rehearse']);
const { exports } = JSON.parse(readFileSync('package.json', 'utf8')) as { exports: Record<string, unknown> };
for (const path of Object.keys(exports).filter(
  (each) => each.startsWith('./translator') && !NODE_ONLY.has(each),
)) {
  test(`${path} is bundled for browsers without a module of Node.js`, async (t) => {
    const contents = `export * from 'fabric-ops-agent${path.slice(1)}';`;
    const { outputFiles } = await build({
      ...FOR_BROWSERS,
      format: 'esm',
      stdin: { contents, resolveDir: '.' },
    });
    t.notRegex(outputFiles[0]!.text, /["']node:/);
  });
}

test('the library bundled for browsers reads, shows, applies, verifies, signs and merges', async (t) => {
  const { outputFiles, metafile } = await build({
    stdin: { contents: PROGRAM, resolveDir: '.' },
    ...FOR_BROWSERS,
    format: 'iife',
    metafile: true,
  });
  const [output] = outputFiles;
  t.deepEqual(
    Object.values(metafile.inputs).flatMap(({ imports }) => imports.filter(({ external }) => external)),
    [],
  );
  const signature = IDENTITIES['Org1/admin']!;
  const sandbox = createContext({
    atob,
    btoa,
    crypto,
    TextDecoder,
    TextEncoder,
    performance,
    MessageChannel,
    Uint8Array,
    inputs: {
      config: new Uint8Array(configs.get(UPDATE.config)!),
      update: new Uint8Array(UPDATE.update),
      envelope: new Uint8Array(ENVELOPE),
      signer: {
        mspid: signature.mspid,
        certificate: new Uint8Array(certificateOf('Org1/admin')),
        key: new TextEncoder().encode(signature.key),
      },
      now: '2026-11-22T00:00:00Z',
    },
  }) as { result: Promise<string> };
  runInContext(output!.text, sandbox);

  t.deepEqual(JSON.parse(await sandbox.result), {
    text: ['a channel, config, sequence 3', '  capabilities  channel V2_0; orderer V2_0; application V2_5'],
    changes: 1,
    applied: 1,
    isIn: [true, false],
    msps: ['OrdererBMSP', 'OrdererMSP', 'Org1MSP', 'Org2MSP', 'Org3MSP'],
    faults: [],
    policy: 'MAJORITY Admins (2 of Org1, Org2, Org3)',
    review: false,
    edited: 'bigint',
    signatures: [1, 1],
  });
});
