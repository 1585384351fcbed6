// Creates the certificates and the genesis block of a network with Fabric's own tools.

import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { stringify } from 'yaml';

/** The name of the channel. */
export const CHANNEL = 'channel1';

/** The certificates of one node. */
export interface Identity {
  readonly mspId: string;
  /** Its MSP directory. */
  readonly msp: string;
  /** Its TLS certificate, which may act as server and as client. */
  readonly tls: { readonly cert: string; readonly key: string; readonly ca: string };
  /** The MSP directory of the administrator of its organisation. */
  readonly admin: string;
  /** The MSP directory of a client of its organisation; orderer organisations have none. */
  readonly client: string;
}

/** How many nodes a network has. */
export interface NetworkSize {
  readonly orderers: number;
  /** Each has one peer. */
  readonly organisations: number;
}

/** The type of the ordering service. BFT needs four orderers. */
export type Consensus = 'etcdraft' | 'BFT';

const ORDERER_DOMAIN = 'example.com';
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const domainOf = (organisation: number): string => `org${organisation}.example.com`;

function identity(
  directory: string,
  mspId: string,
  kind: 'orderer' | 'peer',
  domain: string,
  host: string,
): Identity {
  const organisation = join(directory, 'crypto', `${kind}Organizations`, domain);
  const node = join(organisation, `${kind}s`, `${host}.${domain}`);
  const tls = (file: string): string => join(node, 'tls', file);
  return {
    mspId,
    msp: join(node, 'msp'),
    tls: { cert: tls('server.crt'), key: tls('server.key'), ca: tls('ca.crt') },
    admin: join(organisation, 'users', `Admin@${domain}`, 'msp'),
    client: join(organisation, 'users', `User1@${domain}`, 'msp'),
  };
}

/** The certificates of an orderer; the first one is 1. */
export const ordererIdentity = (directory: string, number: number): Identity =>
  identity(directory, 'OrdererMSP', 'orderer', ORDERER_DOMAIN, `orderer${number}`);

/** The certificates of the peer of an organisation; the first one is 1. */
export const peerIdentity = (directory: string, number: number): Identity =>
  identity(directory, `Org${number}MSP`, 'peer', domainOf(number), 'peer0');

/** Creates the certificates of all nodes and administrators. */
export function createCertificates(bin: string, directory: string, size: NetworkSize): void {
  runCryptogen(bin, directory, size, ['generate', `--output=${join(directory, 'crypto')}`]);
}

/** Creates the missing certificates, of the same CAs: those of more orderers, for example. */
export function extendCertificates(bin: string, directory: string, size: NetworkSize): void {
  runCryptogen(bin, directory, size, ['extend', `--input=${join(directory, 'crypto')}`]);
}

/** Creates other certificates for an orderer, of the same CAs. */
export function renewCertificates(
  bin: string,
  directory: string,
  size: NetworkSize,
  orderer: number,
): Identity {
  const renewed = join(directory, `renewed-${orderer}`);
  cpSync(join(directory, 'crypto'), join(renewed, 'crypto'), { recursive: true });
  const renewal = ordererIdentity(renewed, orderer);
  rmSync(join(renewal.msp, '..'), { recursive: true });
  extendCertificates(bin, renewed, size);
  return renewal;
}

function runCryptogen(bin: string, directory: string, size: NetworkSize, command: readonly string[]): void {
  const SANS = ['localhost', '127.0.0.1'];
  const file = join(directory, 'crypto.yaml');
  const orderers = numbers(size.orderers).map((number) => ({ Hostname: `orderer${number}`, SANS }));
  const configuration = {
    OrdererOrgs: [{ Name: 'Orderer', Domain: ORDERER_DOMAIN, EnableNodeOUs: true, Specs: orderers }],
    PeerOrgs: numbers(size.organisations).map((number) => ({
      Name: `Org${number}`,
      Domain: domainOf(number),
      EnableNodeOUs: true,
      Template: { Count: 1, SANS },
      Users: { Count: 1 },
    })),
  };
  writeFileSync(file, stringify(configuration));
  runTool(bin, 'cryptogen', [...command, `--config=${file}`]);
}

/** What a genesis block contains. */
export interface GenesisOptions {
  readonly channel: string;
  readonly organisations: number;
  /** Of the orderers. */
  readonly addresses: readonly Address[];
  /** Of the organisations, one each. @default none */
  readonly anchorPeers?: readonly Address[];
  readonly consensus: Consensus;
  /** Options of BFT that differ from the defaults of Fabric. @default none */
  readonly smartBft?: Readonly<Record<string, string>>;
}

/** The address of a node. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The file of the genesis block of a channel. */
export const genesisBlock = (directory: string, channel = CHANNEL): string =>
  join(directory, `configtx-${channel}`, 'genesis.block');

/** Creates the genesis block of a channel in a new directory `configtx-CHANNEL`; returns its file. */
export function createGenesisBlock(bin: string, directory: string, options: GenesisOptions): string {
  const block = genesisBlock(directory, options.channel);
  const place = dirname(block);
  mkdirSync(place);
  writeFileSync(
    join(place, 'configtx.yaml'),
    stringify({ Profiles: { Channel: profile(directory, options) } }),
  );
  const args = ['-profile', 'Channel', '-channelID', options.channel, '-outputBlock', block];
  runTool(bin, 'configtxgen', args, { FABRIC_CFG_PATH: place });
  return block;
}

const meta = (Rule: string): object => ({ Type: 'ImplicitMeta', Rule });
const signature = (Rule: string): object => ({ Type: 'Signature', Rule });
const STANDARD = {
  Readers: meta('ANY Readers'),
  Writers: meta('ANY Writers'),
  Admins: meta('MAJORITY Admins'),
};

function profile(directory: string, options: GenesisOptions): object {
  const { organisations, consensus, anchorPeers } = options;
  const endorsement = meta('MAJORITY Endorsement');
  return {
    Policies: STANDARD,
    Capabilities: { [consensus === 'BFT' ? 'V3_0' : 'V2_0']: true },
    Orderer: ordererSection(directory, options),
    Application: {
      Organizations: numbers(organisations).map((number) =>
        peerOrganisation(directory, number, anchorPeers?.[number - 1]),
      ),
      Policies: { ...STANDARD, LifecycleEndorsement: endorsement, Endorsement: endorsement },
      Capabilities: { V2_5: true },
    },
  };
}

function ordererSection(directory: string, { addresses, consensus, smartBft }: GenesisOptions): object {
  const member = signature("OR('OrdererMSP.member')");
  return {
    OrdererType: consensus,
    BatchTimeout: '200ms',
    BatchSize: { MaxMessageCount: 10, AbsoluteMaxBytes: '99 MB', PreferredMaxBytes: '512 KB' },
    ...(consensus === 'BFT' ? bftSection(directory, addresses, smartBft) : raftSection(directory, addresses)),
    Organizations: [
      {
        Name: 'OrdererOrg',
        ID: 'OrdererMSP',
        MSPDir: join(directory, 'crypto/ordererOrganizations', ORDERER_DOMAIN, 'msp'),
        OrdererEndpoints: addresses.map(({ host, port }) => `${host}:${port}`),
        Policies: { Readers: member, Writers: member, Admins: signature("OR('OrdererMSP.admin')") },
      },
    ],
    Policies: { ...STANDARD, BlockValidation: meta('ANY Writers') },
    Capabilities: { V2_0: true },
  };
}

/** A consenter of orderer.yaml: its address and TLS certificate. */
function consenter(directory: string, { host, port }: Address, number: number): object {
  const { cert } = ordererIdentity(directory, number).tls;
  return { Host: host, Port: port, ClientTLSCert: cert, ServerTLSCert: cert };
}

function raftSection(directory: string, addresses: readonly Address[]): object {
  return {
    EtcdRaft: {
      Consenters: addresses.map((address, index) => consenter(directory, address, index + 1)),
      Options: {
        TickInterval: '100ms',
        ElectionTick: 10,
        HeartbeatTick: 1,
        MaxInflightBlocks: 5,
        SnapshotIntervalSize: '16 MB',
      },
    },
  };
}

function bftSection(
  directory: string,
  addresses: readonly Address[],
  smartBft: GenesisOptions['smartBft'],
): object {
  return {
    ConsenterMapping: addresses.map((address, index) => ({
      ...consenter(directory, address, index + 1),
      ID: index + 1,
      MSPID: 'OrdererMSP',
      Identity: signingCertificate(ordererIdentity(directory, index + 1)),
    })),
    SmartBFT: {
      RequestBatchMaxCount: 100,
      RequestBatchMaxBytes: 10_485_760,
      RequestBatchMaxInterval: '50ms',
      IncomingMessageBufferSize: 200,
      RequestPoolSize: 400,
      RequestForwardTimeout: '2s',
      RequestComplainTimeout: '20s',
      RequestAutoRemoveTimeout: '3m0s',
      ViewChangeResendInterval: '5s',
      ViewChangeTimeout: '20s',
      LeaderHeartbeatTimeout: '1m0s',
      LeaderHeartbeatCount: 10,
      CollectTimeout: '1s',
      SyncOnStart: true,
      LeaderRotation: 0,
      DecisionsPerLeader: 3,
      ...smartBft,
    },
  };
}

/** The file of the signing certificate of a node. */
export function signingCertificate({ msp }: Identity): string {
  const directory = join(msp, 'signcerts');
  const [name = ''] = readdirSync(directory);
  return join(directory, name);
}

function peerOrganisation(directory: string, number: number, anchor: Address | undefined): object {
  const id = `Org${number}MSP`;
  return {
    Name: id,
    ID: id,
    MSPDir: join(directory, 'crypto/peerOrganizations', domainOf(number), 'msp'),
    Policies: {
      Readers: signature(`OR('${id}.member')`),
      Writers: signature(`OR('${id}.admin','${id}.client')`),
      Admins: signature(`OR('${id}.admin')`),
      Endorsement: signature(`OR('${id}.peer')`),
    },
    ...(anchor && { AnchorPeers: [{ Host: anchor.host, Port: anchor.port }] }),
  };
}

/** Runs a tool; an error has its output. */
export function runTool(
  bin: string,
  tool: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): string {
  return execFileSync(join(bin, tool), args, {
    env: { PATH: process.env.PATH, ...environment },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
}
