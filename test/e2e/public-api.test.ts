// The exports of the package as users import them: packed, installed into an empty project without `@types/node`, called in JavaScript, and
// compiled in strict TypeScript.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { readChannelCases } from '../helpers/channel-cases.js';
import { certificateOf, IDENTITIES, readVectors } from '../helpers/channel-vectors.js';
import { temporaryFolder } from '../helpers/folder.js';
import { guardFolder } from '../helpers/guard.js';
import { runProgram } from '../helpers/program.js';
import { listeningOrderer } from '../helpers/stand-in-orderer.js';
import { emptyBlock, writeLedger } from '../helpers/stored-ledger.js';
import { install, PACKAGE, packRelease, ROOT, TSC } from './npm.js';

const { name, exports } = PACKAGE;
const PATHS = Object.keys(exports).filter((path) => path !== './package.json');
/** The exports whose types need those of Node.js: TLS options, sockets, HTTP/2 sessions and certificates of Node.js are in their signatures. */
const NEEDS_NODE_TYPES = ['./kit', './kit/metrics', './kit/notifier'];
const NODE_TYPES = join(ROOT, 'node_modules/@types');

const project = mkdtempSync(join(tmpdir(), 'public-api-'));
guardFolder(project);
test.after.always(() => rmSync(project, { recursive: true, force: true }));

test.before((t) => {
  t.timeout(120_000);
  writeFileSync(join(project, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }');
  install(project, `./${packRelease(project).filename}`);
  // Packages that ours depends on bring them; another package manager may install them elsewhere.
  rmSync(join(project, 'node_modules/@types/node'), { recursive: true, force: true });
  const { configs, cases } = readChannelCases();
  const proposal = cases.find(({ propose }) => propose)!;
  const { before } = readVectors<readonly { before: string }[]>('sign-cases')[0]!;
  writeFileSync(join(project, 'config.pb'), configs.get(proposal.config)!);
  writeFileSync(join(project, 'update.pb'), proposal.update);
  writeFileSync(join(project, 'envelope.pb'), Buffer.from(before, 'base64'));
});

/** The MSP directory of an admin of Org1MSP. */
const mspFolder = (t: ExecutionContext): string =>
  temporaryFolder(t, {
    'signcerts/cert.pem': certificateOf('Org1/admin').toString(),
    'keystore/key.pem': IDENTITIES['Org1/admin']!.key,
  });

/** A program with an export, what it prints, and what it is told. */
interface Use {
  readonly program: string;
  readonly prints: string;
  readonly argument?: (t: ExecutionContext) => string | Promise<string>;
}

const READ = `
import { readFileSync } from 'node:fs';
import { readConfigFile, readUpdateFile } from '${name}/translator/channel';
const block = readConfigFile(readFileSync('config.pb'));
const update = readUpdateFile(readFileSync('update.pb'));
const now = new Date('2026-11-22T00:00:00Z');
`;

const CHECKER = `
import { defineHealthChecker } from '${name}/plugin';
const checker = defineHealthChecker({
  name: 'free',
  options: { free: { format: Number, default: 0, doc: 'a number' } },
  async check({ options }) {
    if (options.free > 100) throw new Error('too much');
  },
});
`;

const USES: Readonly<Record<string, Use>> = {
  '.': {
    program: `
import { createAgent, defineSettings } from '${name}';
const agent = await createAgent(defineSettings({ 'operations.listenAddress': '127.0.0.1:0' }, process.cwd()));
await agent.start();
console.log((await fetch('http://' + agent.address + '/version')).status);
await agent.stop();`,
    prints: '200',
  },
  './plugin': { program: `${CHECKER}console.log(checker.kind, checker.name);`, prints: 'checker free' },
  './kit': {
    program: `
import { createServer } from 'node:http';
import { HttpClient } from '${name}/kit';
const server = createServer((_, response) => response.end('up 1'));
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const client = new HttpClient({ address: { host: '127.0.0.1', port: server.address().port } }, console);
client.open();
const { status, body } = await client.send({ path: '/', signal: AbortSignal.timeout(60_000) });
console.log(status, new TextDecoder().decode(body));
client.close();
server.close();`,
    prints: '200 up 1',
  },
  './kit/metrics': {
    program: `
import { ExpositionParser, readExposition } from '${name}/kit/metrics';
const bytes = new TextEncoder().encode('up 1\\n');
const { families } = await readExposition(new ExpositionParser(), bytes, 'up', AbortSignal.timeout(60_000));
console.log(families[0].name, families[0].series[0].value);`,
    prints: 'up 1',
  },
  './kit/notifier': {
    program: `
import { agentName } from '${name}/kit/notifier';
console.log(agentName({ agent: '' }, { agent: 'host1' }));`,
    prints: 'host1',
  },
  './testing': {
    program: `${CHECKER}
import { healthCheckerCases } from '${name}/testing';
const cases = healthCheckerCases(checker, {
  healthy: () => ({ options: { free: 0 } }),
  unhealthy: () => ({ options: { free: 101 } }),
});
for (const { run } of cases) await run();
console.log(cases.length > 5);`,
    prints: 'true',
  },
  './translator': {
    program: `
import { readFileSync } from 'node:fs';
import { channelDocument, decode, documentText, encode, readConfigFile, summariseChannel } from '${name}/translator';
console.log(JSON.parse(decode('common.LastConfig', encode('common.LastConfig', '{"index":"7"}'))).index);
console.log(documentText(channelDocument(await summariseChannel(readConfigFile(readFileSync('config.pb'))), new Date())).split('\\n')[0]);`,
    prints: '7\na channel, config, sequence 3',
  },
  './translator/json': {
    program: `
import { decode, encode, messageNames, TranslateError } from '${name}/translator/json';
console.log(encode('common.LastConfig', '{"index":"7"}').join(), messageNames().includes('common.Block'));
try {
  decode('common.Block', new Uint8Array([1]));
} catch (error) {
  console.log(error instanceof TranslateError && error.code);
}`,
    prints: '8,7 true\nBAD_BYTES',
  },
  './translator/channel': {
    program: `${READ}
import { applyUpdate, channelOf, findSigningIdentity, mergeEnvelopes, signEnvelope, verifyUpdate } from '${name}/translator/channel';
import { readSignerFiles } from '${name}/translator/node';
const signer = await findSigningIdentity({ mspid: 'Org1MSP', ...readSignerFiles(process.argv[2]) });
const envelope = readFileSync('envelope.pb');
const merged = await mergeEnvelopes([await signEnvelope(envelope, signer, now), envelope]);
const { config } = applyUpdate(block.config, update.update);
console.log(channelOf(block.config).orderer.consensus.type, merged.signatures.length, verifyUpdate(update.update, config).isIn);`,
    prints: 'etcdraft 1 true',
    argument: mspFolder,
  },
  './translator/edit': {
    program: `${READ}
import { computeUpdate, setByPath, unsignedUpdate } from '${name}/translator/edit';
import { writeConfig } from '${name}/translator/channel';
const { config } = setByPath(block.config, 'orderer.batchSize.maxMessageCount', '51');
const made = unsignedUpdate(block.config, config, 'ch1');
const computed = computeUpdate(writeConfig(block.config), writeConfig(config), 'ch1');
console.log(Buffer.compare(made.update.bytes, computed));`,
    prints: '0',
  },
  './translator/review': {
    program: `${READ}
import { documentText, review, reviewDocument } from '${name}/translator/review';
const result = await review(update, block, { now });
console.log(result.accepted, documentText(reviewDocument(result)).length > 100);`,
    prints: 'false true',
  },
  './translator/describe': {
    program: `${READ}
import { powersOf } from '${name}/translator/describe';
console.log((await powersOf(block)).services.length > 5);`,
    prints: 'true',
  },
  './translator/policy': {
    program: `${READ}
import { createPolicies, describePolicy, findPolicy, parseSignaturePolicy, printSignaturePolicy } from '${name}/translator/policy';
console.log(describePolicy(findPolicy(createPolicies(block.config.channelGroup).root, 'Application/Admins')));
console.log(printSignaturePolicy(parseSignaturePolicy("OutOf(1, 'A.admin', 'B.peer')")));`,
    prints: "MAJORITY Admins (2 of Org1, Org2, Org3)\nOR('A.admin', 'B.peer')",
  },
  './translator/msp': {
    program: `${READ}
import { setupChannelMsps } from '${name}/translator/msp';
const { manager, faults } = await setupChannelMsps(block.config);
console.log([...manager.msps.keys()].sort().join(), faults.length);`,
    prints: 'OrdererBMSP,OrdererMSP,Org1MSP,Org2MSP,Org3MSP 0',
  },
  './translator/orderer': {
    program: `
import { findSigningIdentity } from '${name}/translator/channel';
import { readSignerFiles } from '${name}/translator/node';
import { heightAt, openOrderer } from '${name}/translator/orderer';
const [address, folder] = process.argv[2].split(' ');
const signer = await findSigningIdentity({ mspid: 'Org1MSP', ...readSignerFiles(folder) });
const orderer = await openOrderer({ address, cas: undefined, timeout: 60_000 });
console.log(await heightAt(orderer, { channel: 'ch1', signer, clientCertificateHash: undefined }));
orderer.close();`,
    prints: '2n',
    async argument(t) {
      const orderer = await listeningOrderer(t);
      orderer.blocks = [emptyBlock(0n), emptyBlock(1n)];
      return `${orderer.address} ${mspFolder(t)}`;
    },
  },
  './translator/node': {
    program: `
import { blockBytes, Ledger } from '${name}/translator/node';
import { readConfigFile } from '${name}/translator/channel';
const ledger = Ledger.open(process.argv[2]);
const block = ledger.newestConfig();
console.log(ledger.newest, block.number, readConfigFile(blockBytes(block)).channel);`,
    prints: '3n 2n mychannel',
    argument: (t) => writeLedger(t, { blocks: 4, configs: [2] }),
  },
  './translator/rehearse': {
    program: `
import { rehearse } from '${name}/translator/rehearse';
import { readConfigFile } from '${name}/translator/channel';
import { readFileSync } from 'node:fs';
const block = readConfigFile(readFileSync(process.argv[2]));
await rehearse([], block, { programs: '/nowhere' }).catch(({ code, message }) => console.log(code, message));`,
    prints: 'BAD_NODE /nowhere/orderer is not a program that can be run',
    argument: () => resolve('test/vectors/powers/raft.block'),
  },
};

test.serial('every export has a program that uses it', (t) => {
  t.deepEqual(Object.keys(USES), PATHS);
});

for (const [path, { program, prints, argument }] of Object.entries(USES))
  test.serial(`a program in JavaScript uses ${name}${path.slice(1)}`, async (t) => {
    const file = join(project, `use-${PATHS.indexOf(path)}.mjs`);
    writeFileSync(file, program);
    const argv = argument === undefined ? [] : [await argument(t)];
    const { stdout, stderr, status } = await runProgram(t, argv, { program: file, cwd: project });
    t.is(stdout.trim(), prints, stderr);
    t.is(status, 0);
  });

const OPTIONS = {
  target: 'es2022',
  module: 'nodenext',
  lib: ['es2023', 'dom'],
  types: [] as readonly string[],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  noEmit: true,
} as const;

/** Compiles a module in the project; returns what the compiler prints. */
function compile(t: ExecutionContext, file: string, text: string, options: object): string {
  t.false(existsSync(join(project, 'node_modules/@types/node')));
  writeFileSync(join(project, `${file}.ts`), text);
  const config = join(project, `tsconfig.${file}.json`);
  writeFileSync(
    config,
    JSON.stringify({ files: [`${file}.ts`], compilerOptions: { ...OPTIONS, ...options } }),
  );
  return spawnSync(TSC, ['--pretty', 'false', '-p', config], { encoding: 'utf8' }).stdout;
}

const importsOf = (paths: readonly string[]): string =>
  paths.map((path, index) => `export * as part${index} from '${name}${path.slice(1)}';`).join('\n');

const STRICT = `${importsOf(PATHS.filter((path) => !NEEDS_NODE_TYPES.includes(path)))}
import { createAgent, defineSettings, type Agent } from '${name}';
import { defineHealthChecker, type PluginDefinition } from '${name}/plugin';
import { networkClientCases, type ContractCase } from '${name}/testing';
import { TranslateError, type Review } from '${name}/translator';
import { decode, encode } from '${name}/translator/json';
import { readConfigFile, signEnvelope, type ConfigFile, type Envelope, type SigningIdentity } from '${name}/translator/channel';
import { setByPath, unsignedUpdate } from '${name}/translator/edit';
import { review, type Finding } from '${name}/translator/review';
import { parseSignaturePolicy, type SignaturePolicy } from '${name}/translator/policy';
import { readCertificate, type Certificate } from '${name}/translator/msp';
import { openOrderer, type OpenedOrderer } from '${name}/translator/orderer';
import { blockBytes, Ledger } from '${name}/translator/node';

export const agent: Promise<Agent> = createAgent(defineSettings({ 'health.timeout': '5s' }, '/'));
export const disk: PluginDefinition<'checker'> = defineHealthChecker({
  name: 'disk',
  options: { path: { format: String, default: '/', doc: 'mount point' } },
  async check({ options, signal }) {
    const path: string = options.path;
    if (signal.aborted || path === '') throw new Error('no path');
  },
});
export const cases: readonly ContractCase[] = networkClientCases('disk', {
  certificates: { cert: '', key: '', ca: '', otherCa: '' },
  respond: ({ url }, answer) => void answer.end(url),
  connect: () => ({ use: async () => undefined, stop: () => undefined }),
});
const bytes: Uint8Array = encode('common.Config', decode('common.Config', new Uint8Array()));
const file: ConfigFile = readConfigFile(blockBytes(Ledger.open('/ledger').newestConfig()), encode);
const { config } = setByPath(file.config, 'orderer.batchTimeout', '3s');
const envelope: Envelope = unsignedUpdate(file.config, config, 'channel');
export const signed = (signer: SigningIdentity): Promise<Uint8Array> => signEnvelope(envelope.bytes, signer, new Date());
export const reviewed: Promise<Review> = review(envelope, file, { now: new Date() });
export const idsOf = ({ findings }: Review): readonly Finding['id'][] => findings.map(({ id }) => id);
export const policy: SignaturePolicy = parseSignaturePolicy("OR('Org1MSP.admin')");
export const certificate: Certificate = readCertificate(bytes);
export const orderer: Promise<OpenedOrderer> = openOrderer({ address: 'o:1', cas: bytes, timeout: 1000 });
export const isUnreachable = (error: unknown): boolean => error instanceof TranslateError && error.code === 'UNREACHABLE';
`;

test.serial(
  'the types of all exports but the kit compile without those of Node.js, in strict TypeScript',
  (t) => {
    t.is(compile(t, 'strict', STRICT, {}), '');
  },
);

test.serial('the types of the kit compile with those of Node.js, in strict TypeScript', (t) => {
  const options = { types: ['node'], typeRoots: [NODE_TYPES] };
  const text = `${importsOf(NEEDS_NODE_TYPES)}
import { HttpClient, type HttpRequest } from '${name}/kit';
import { ExpositionParser, readExposition } from '${name}/kit/metrics';
const request: HttpRequest = { path: '/metrics', body: new Uint8Array(), signal: AbortSignal.timeout(1000) };
export const send = (client: HttpClient) => client.send(request);
export const reading = readExposition(new ExpositionParser(), new Uint8Array(), 'GET /metrics', request.signal);
`;
  t.is(compile(t, 'kit', text, options), '');
});

test.serial('in browsers the root of the translator and the subpaths that need no Node.js compile', (t) => {
  const paths = PATHS.filter((path) => /^\.\/translator(?:$|\/(?!node|orderer))/.test(path));
  const text = `${importsOf(paths)}
import { computeUpdate, summariseChannel, TranslateError } from '${name}/translator';
// @ts-expect-error It reads files.
import { readMspFolder } from '${name}/translator';
// @ts-expect-error It needs the schema.
import { decode } from '${name}/translator';
export const functions = [computeUpdate, summariseChannel, TranslateError];
export const missing: readonly unknown[] = [decode, readMspFolder];
`;
  t.is(compile(t, 'browser', text, { customConditions: ['browser'] }), '');
});
