// `fabric-ops-agent rescue`: a real network whose TLS and signing certificates have expired follows the plan, step by step, until it commits
// again, with the same keys and with new ones. With BFT only the TLS certificates expire: 3.0 does not accept renewed signing certificates. The
// tests run at the same time: they wait most of the time.

import { execFile, execFileSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { parseDocument } from 'yaml';
import type { Action, Plan } from '../../core/tools/rescue/planning.js';
import { runProgram } from '../helpers/program.js';
import { putTranslator } from '../helpers/shell.js';
import { eventually } from './daemon.js';
import { startNetwork, type FabricNetwork } from './fabric/network.js';
import {
  ordererIdentity,
  peerIdentity,
  signingCertificate,
  type Consensus,
  type Identity,
} from './fabric/network-files.js';
import type { FabricNode } from './fabric/node.js';
import type { FabricVersion } from './fabric/programs.js';
import { addBlock } from './fabric/traffic.js';

/** A network, and what expires in it besides the TLS certificates. */
interface Expiring {
  readonly version: FabricVersion;
  readonly consensus?: Consensus;
  readonly hasExpiredCas?: boolean;
}

/** BFT has four orderers, and its signing certificates do not expire. */
const isBft = ({ consensus }: Expiring): boolean => consensus === 'BFT';
const orderersOf = (options: Expiring): number => (isBft(options) ? 4 : 3);

/** The file of a certificate, the file of its key, and the directory of its CA. */
interface Files {
  readonly certificate: string;
  readonly key: string;
  readonly ca: string;
}

const filesOf = (identity: Identity, hasExpiredIdentity: boolean): readonly Files[] => {
  const organisation = join(identity.admin, '../../..');
  const tls = { certificate: identity.tls.cert, key: identity.tls.key, ca: join(organisation, 'tlsca') };
  if (!hasExpiredIdentity) return [tls];
  return [
    tls,
    {
      certificate: signingCertificate(identity),
      key: join(identity.msp, 'keystore/priv_sk'),
      ca: join(organisation, 'ca'),
    },
  ];
};

const openssl = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('openssl', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const timeText = (time: number): string =>
  `${new Date(time).toISOString().replaceAll(/[-:T]/g, '').slice(0, 14)}Z`;

/** The certificate of a CA of cryptogen. */
const caFile = (directory: string): string =>
  execFileSync('sh', ['-c', `echo ${directory}/*-cert.pem`], { encoding: 'utf8' }).trim();

/** A certificate that files have while it is valid, and the one that they have then. */
interface Copy {
  readonly files: readonly string[];
  readonly valid: Buffer;
  readonly expired: Buffer;
}

/**
 * Certificates of all nodes that have expired, and of their CAs if that is wanted. Until they are put in place, the nodes have certificates
 * with the same keys that are valid: a network whose certificates expire while it runs would depend on how fast it starts.
 */
class ExpiredCertificates {
  readonly #directory: string;
  readonly #copies: Copy[] = [];

  constructor(directory: string, options: Expiring) {
    this.#directory = join(directory, 'expired');
    mkdirSync(this.#directory);
    writeFileSync(join(this.#directory, 'index.txt'), '');
    writeFileSync(
      join(this.#directory, 'ca.cnf'),
      '[ca]\ndefault_ca=own\n[own]\ndatabase=index.txt\nnew_certs_dir=.\nrand_serial=yes\nunique_subject=no\ndefault_md=sha256\npolicy=any\ncopy_extensions=copyall\n[any]\ncommonName=optional\n',
    );
    const nodes = [
      ...Array.from({ length: orderersOf(options) }, (_, index) => ordererIdentity(directory, index + 1)),
      peerIdentity(directory, 1),
    ].flatMap((each) => filesOf(each, !isBft(options)));
    for (const { certificate, key, ca } of nodes)
      this.#copies.push(this.#expire([certificate], key, caFile(ca), join(ca, 'priv_sk')));
    if (options.hasExpiredCas === true)
      for (const ca of new Set(nodes.map((each) => each.ca))) this.#expireCa(directory, ca);
  }

  /** The channel and the MSPs have the expired CA from now on, the nodes trust the valid one until the others are put in place. */
  #expireCa(directory: string, ca: string): void {
    const [file, key] = [caFile(ca), join(ca, 'priv_sk')];
    const valid = readFileSync(file);
    const copies = readdirSync(join(directory, 'crypto'), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:pem|crt)$/.test(name))
      .map((name) => join(directory, 'crypto', name))
      .filter((path) => path !== file && readFileSync(path).equals(valid));
    const { expired } = this.#expire([], key, file, key);
    for (const path of copies) writeFileSync(path, expired);
    const files = copies.filter((path) => path.endsWith('tls/ca.crt'));
    this.#copies.push({ files, valid, expired });
  }

  /** Makes a certificate like the one in the first file, or like the one of the CA itself, which ended a minute ago. */
  #expire(files: readonly string[], key: string, issuer: string, issuerKey: string): Copy {
    const certificate = files[0] ?? issuer;
    const request = ['-signkey', key, '-copy_extensions', 'copyall', '-out', 'request.csr'];
    openssl(this.#directory, 'x509', '-x509toreq', '-in', certificate, ...request);
    // The CAs of cryptogen begin five minutes ago.
    const [, start = ''] = openssl('.', 'x509', '-in', issuer, '-noout', '-startdate').split('=');
    const times = [Date.parse(start), Date.parse(start) + 240_000].map(timeText);
    const args = ['-batch', '-notext', '-preserveDN', '-config', 'ca.cnf', '-in', 'request.csr'];
    // What the CA has issued names its key identifier.
    const id = /[\dA-F]{2}(?::[\dA-F]{2})+/.exec(
      openssl('.', 'x509', '-in', issuer, '-noout', '-ext', 'subjectKeyIdentifier'),
    );
    writeFileSync(
      join(this.#directory, 'ca.ext'),
      `[own]\nsubjectKeyIdentifier=${id![0].replaceAll(':', '')}\n`,
    );
    const by =
      certificate === issuer ? ['-selfsign', '-extfile', 'ca.ext', '-extensions', 'own'] : ['-cert', issuer];
    const validity = ['-startdate', times[0]!, '-enddate', times[1]!];
    openssl(this.#directory, 'ca', ...args, ...by, '-keyfile', issuerKey, ...validity, '-out', 'made.pem');
    const expired = readFileSync(join(this.#directory, 'made.pem'));
    return { files, valid: readFileSync(certificate), expired };
  }

  /** Puts them in place. */
  put(state: 'valid' | 'expired'): void {
    for (const copy of this.#copies) for (const file of copy.files) writeFileSync(file, copy[state]);
  }
}

/** A network whose certificates expire when they are put in place. */
async function startExpiring(
  t: ExecutionContext,
  options: Expiring,
): Promise<FabricNetwork & { readonly expire: () => Promise<void> }> {
  let certificates: ExpiredCertificates | undefined;
  const network = await startNetwork(t, {
    version: options.version,
    consensus: options.consensus ?? 'etcdraft',
    orderers: orderersOf(options),
    prepare(directory) {
      certificates = new ExpiredCertificates(directory, options);
      certificates.put('expired');
      return () => certificates!.put('valid');
    },
  });
  putTranslator(network.directory);
  // Orderers of BFT trust only the TLS CA in the channel, which has expired.
  if (!isBft(options) || options.hasExpiredCas !== true) await addBlock(network);
  return {
    ...network,
    async expire() {
      certificates!.put('expired');
      for (const node of [...network.orderers, ...network.peers]) await node.stop();
      if (!isBft(options))
        await t.throwsAsync(network.orderers[0].start(), { message: /signing identity expired/ });
    },
  };
}

/** The nodes by the names that the plan has for them. */
function nodesByName({ orderers, peers }: FabricNetwork): ReadonlyMap<string, FabricNode> {
  return new Map([
    ...orderers.map((node, index) => [`orderer${index + 1}.example.com`, node] as const),
    ...peers.map((node, index) => [`peer0.org${index + 1}.example.com`, node] as const),
  ]);
}

/** Follows a plan literally: what a step says, and before the next one what there is to see. */
async function follow(
  plan: Plan,
  network: FabricNetwork,
  inputs: Readonly<Record<string, string>>,
): Promise<void> {
  const { directory, tools } = network;
  const nodes = nodesByName(network);
  const env = { ...inputs, PATH: [directory, tools, process.env.PATH].join(delimiter) };
  const run = async (command: string): Promise<string> =>
    (await promisify(execFile)('sh', ['-ec', command], { cwd: directory, env, timeout: 100_000 })).stdout;
  const doAction = async (action: Action): Promise<void> => {
    if (action.kind === 'command') await run(action.command);
    else if (action.kind === 'replace') copyFileSync(join(directory, action.with), action.file);
    else if (action.kind === 'append') appendFileSync(action.file, await run(`cat ${action.with}`));
    else if (action.kind === 'set') {
      const document = parseDocument(readFileSync(action.file, 'utf8'));
      document.setIn(action.key.split('.'), action.value);
      writeFileSync(action.file, document.toString());
    } else await nodes.get(action.node)![action.kind]();
  };
  for (const { actions, see } of plan.steps) {
    for (const action of actions.filter(({ kind }) => kind !== 'start')) await doAction(action);
    // At the same time: an orderer of BFT waits some seconds for the others.
    await Promise.all(actions.filter(({ kind }) => kind === 'start').map(doAction));
    for (const command of see.commands) await eventually(async () => run(command));
  }
}

/** The shell variables of a plan. */
function inputsOf({ directory, orderers: [orderer], peers: [peer] }: FabricNetwork): Record<string, string> {
  const casOf = (name: string, organisation: string): Record<string, string> => ({
    [`${name}_TLS_CA`]: caFile(join(organisation, 'tlsca')),
    [`${name}_TLS_CA_KEY`]: join(organisation, 'tlsca/priv_sk'),
    [`${name}_CA`]: caFile(join(organisation, 'ca')),
    [`${name}_CA_KEY`]: join(organisation, 'ca/priv_sk'),
  });
  return {
    ...casOf('ORDERERMSP', join(directory, 'crypto/ordererOrganizations/example.com')),
    ...casOf('ORG1MSP', join(directory, 'crypto/peerOrganizations/org1.example.com')),
    ORDERERMSP_ADMIN: orderer.identity.admin,
    FABRIC_CFG_PATH: peer.directory,
  };
}

async function planOf(
  t: ExecutionContext,
  { orderers, peers }: FabricNetwork,
  keys: 'same' | 'new',
): Promise<{ readonly status: number | null; readonly plan: Plan; readonly text: string }> {
  const files = [...orderers, ...peers].flatMap(({ file }) => ['--node', file]);
  const args = ['rescue', ...files, '--keys', keys];
  const { status, stdout, stderr } = await runProgram(t, [...args, '--json']);
  t.is(stderr, '');
  return {
    status,
    plan: JSON.parse(stdout) as Plan,
    text: (await runProgram(t, args)).stdout,
  };
}

/** `v3.1.5, BFT` */
const titleOf = ({ version, consensus }: Expiring): string =>
  consensus === undefined ? version : `${version}, ${consensus}`;

for (const { keys: allKeys, ...options } of [
  { version: 'v3.1.5', keys: ['same', 'new'] },
  { version: 'v2.5.16', keys: ['same', 'new'] },
  { version: 'v3.1.5', consensus: 'BFT', keys: ['same'] },
] as const)
  test(`${titleOf(options)}: an expired network follows the plan until it commits, keys: ${allKeys.join(', then ')}`, async (t) => {
    const network = await startExpiring(t, options);
    const { orderers, peers } = network;
    t.is((await planOf(t, network, 'same')).status, 0);
    for (const keys of allKeys) {
      await network.expire();
      const { status, plan, text } = await planOf(t, network, keys);
      t.is(status, 3);
      t.is(plan.expired.length, (isBft(options) ? 1 : 2) * (orderers.length + peers.length));
      const inputs = inputsOf(network);
      const needed = Object.keys(inputs).filter((name) => !isBft(options) || !/MSP_CA(_KEY)?$/.test(name));
      t.deepEqual(plan.inputs.map(({ variable }) => variable).toSorted(), needed.toSorted());
      t.notRegex(text, /PRIVATE KEY/);
      await follow(plan, network, inputs);
      await addBlock(network);
    }
    t.is((await planOf(t, network, 'same')).status, 0);
    if (isBft(options)) return;
    for (const { file } of orderers)
      t.is(
        parseDocument(readFileSync(file, 'utf8')).getIn(['General', 'TLS', 'TLSHandshakeTimeShift']),
        '0s',
      );
  });

for (const { keys, ...options } of [
  { version: 'v3.1.5', keys: 'same' },
  { version: 'v2.5.16', keys: 'new' },
  { version: 'v3.0.0', consensus: 'BFT', keys: 'new' },
] as const)
  test(`${titleOf(options)}: the plan renews a network whose CAs have expired as well, keys: ${keys}`, async (t) => {
    const network = await startExpiring(t, { ...options, hasExpiredCas: true });
    const { directory } = network;
    await network.expire();
    const { plan } = await planOf(t, network, keys);
    t.true(plan.expired.filter(({ use }) => use === 'TLS').every(({ caUntil }) => caUntil !== undefined));

    const inputs = {
      ...inputsOf(network),
      ORG1MSP_ADMIN: network.peers[0].identity.admin,
      ORDERERMSP_MSP: join(directory, 'crypto/ordererOrganizations/example.com/msp'),
      ORG1MSP_MSP: join(directory, 'crypto/peerOrganizations/org1.example.com/msp'),
    };
    await follow(plan, network, inputs);
    await addBlock(network);
    t.is((await planOf(t, network, 'same')).status, 0);
  });
