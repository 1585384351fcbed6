import type { X509Certificate } from 'node:crypto';
import { stat } from 'node:fs/promises';
import {
  type CheckerEvent,
  type ConfiguredNode,
  createYielder,
  FailedChecks,
  type FailedPart,
  reasonOf,
} from '../../../core/contract/index.js';
import {
  type ChangeDocument,
  type ChannelConsenters,
  type ChannelDocument,
  defineNodeChecker,
  type FactValues,
  type ForNode,
  type Maintenance,
  type NodeCertificate,
} from '../../../core/contract/internal/index.js';
import {
  callFile,
  certificateBlocks,
  describeUnreadable,
  formatHostPort,
  isIssuedBy,
  readForeignBytes,
  untilAborted,
} from '../../../core/kit/index.js';
import { hashOfKey } from '../../../core/kit/internal/index.js';
import { parseCertificate } from './certificate.js';
import type { KnownConfig } from './config.js';
import type { ConfigReading } from './document.js';
import { createGauges, type ShownConfig } from './gauges.js';
import { failuresOf } from './judge.js';
import { consenterAt } from './own-address.js';

/** Largest file with a certificate, in bytes. */
const MAX_FILE_SIZE = 1024 * 1024;
/** Most certificates of such a file. */
const MAX_CHAIN = 10;
const ADVICE = 'let the user of the agent read it';

/** The TLS certificate of the node with its chain. */
interface TlsCertificate extends NodeCertificate {
  /** The certificate, then the intermediate certificates that the node sends with it. */
  readonly chain: readonly X509Certificate[];
}

/** The keys that identify an orderer as a consenter; undefined: unknown. */
interface OwnKeys {
  readonly tlsKey: string | undefined;
  /** The public key of its signing certificate. */
  readonly signKey: string | undefined;
}

/** What identifies an orderer as a consenter. */
interface OwnOrderer extends OwnKeys {
  /** The address among those of the consenters at which it listens; undefined: there is none. */
  readonly addressIn: (addresses: readonly string[]) => string | undefined;
}

const NO_ORDERER: OwnOrderer = { tlsKey: undefined, signKey: undefined, addressIn: () => undefined };

/**
 * The key that identifies the orderer as a consenter of a channel: of its TLS server, or with BFT of its identity (Fabric: `detectSelfID` in
 * orderer/consensus/etcdraft and orderer/consensus/smartbft).
 */
const ownKey = ({ type }: KnownConfig, own: OwnKeys): string | undefined =>
  type === 'BFT' ? own.signKey : own.tlsKey;

const TLS_SERVER = 'consenter_server_tls';

/** The address of the consenter that a key identifies; undefined: there is none. @param use of the certificate with the key */
const consenterWith = (
  { type, certificates }: KnownConfig,
  key: string | undefined,
  use = type === 'BFT' ? 'consenter_identity' : TLS_SERVER,
): string | undefined =>
  key === undefined
    ? undefined
    : certificates.find((each) => each.use === use && each.key === key)?.consenter;

/** The address of the orderer as a consenter. If its signing certificate cannot be read, it is identified by its TLS certificate. */
function ownConsenter(config: KnownConfig, own: OwnKeys): string | undefined {
  const mine = ownKey(config, own);
  return mine === undefined ? consenterWith(config, own.tlsKey, TLS_SERVER) : consenterWith(config, mine);
}

/** The consenter that an orderer is: by its key, or by its address if its key belongs to none. */
function identified(config: KnownConfig, own: OwnOrderer): Pick<ChannelConsenters, 'own' | 'hasOtherKey'> {
  const byKey = ownConsenter(config, own);
  if (byKey !== undefined || ownKey(config, own) === undefined) return { own: byKey };
  const byAddress = own.addressIn(config.consenters.map(({ address }) => address));
  return byAddress === undefined ? {} : { own: byAddress, hasOtherKey: true };
}

/** The event for a config block. */
function eventOf(
  channel: string,
  { block, time = '', fingerprint = '', signers, submitter = '', changes }: ChangeDocument,
): CheckerEvent {
  const signed = signers.length === 0 ? '' : `, signed by ${signers.join(' and ')}`;
  const changed = changes.join('; ');
  return {
    component: channel,
    // All nodes of the channel report the same block.
    id: `config block ${block} of ${channel}, ${fingerprint}`,
    reason: `config block ${block}${signed}: ${changed}`,
    fields: {
      channel,
      block: String(block),
      time,
      fingerprint,
      signers: signers.join('; '),
      submitter,
      changes: changed,
    },
  };
}

/** The record of the consenters of the channels. */
const consentersIn = (channels: ReadonlyMap<string, ConfigReading>, own: OwnOrderer): ChannelConsenters[] =>
  [...channels].flatMap(([channel, { config, block, maintenance }]) => {
    if (config === undefined || block === undefined) return [];
    const keys = new Map(
      config.certificates.flatMap(({ use, consenter, key }) =>
        use === TLS_SERVER ? [[consenter, key]] : [],
      ),
    );
    return [
      {
        channel,
        block: Number(block),
        consensus: config.type,
        consenters: config.consenters.map(({ address, id }) => ({ address, id, key: keys.get(address) })),
        leaderHeartbeatTimeout: config.leaderHeartbeatTimeout,
        maintenance,
        ...identified(config, own),
      },
    ];
  });

/**
 * The channels in the ledger folder of a node. A TLS CA in the channels should have issued its TLS certificate, or the certificate of the
 * TLS server of its cluster. An orderer should be a consenter with this certificate, or with BFT with its identity.
 */
const forNode: ForNode = (node) => {
  const ledger = node.get<string>('ledger');
  if (ledger.value === '') return undefined;
  const isOrderer = node.kind === 'orderer';
  const cluster = isOrderer ? node.get<string>('cluster.serverCertificate') : undefined;
  const hasCluster = cluster !== undefined && cluster.value !== '';
  const tlsCert = hasCluster ? cluster : node.get<string>('tls.cert');
  const hasTls = hasCluster || node.get<boolean>('tls.enabled').value;
  const msp = node.get<string>('msp');
  return {
    ledger,
    kind: node.kind,
    mspid: node.get<string>('mspId'),
    ...(hasTls && tlsCert.value !== '' && { tlsCert }),
    ...(isOrderer && msp.value !== '' && { msp }),
    ...(isOrderer && { listen: listenAddress(node) }),
  };
};

/** Where other orderers reach an orderer: at a listener of its own (orderer/common/server/main.go, `reuseListener`), or at the general one. */
function listenAddress(node: ConfiguredNode): string {
  const section = String(node.get('cluster.listenPort').value) === '' ? '' : 'cluster.';
  const [host, port] = ['listenAddress', 'listenPort'].map((key) =>
    String(node.get(`${section}${key}`).value),
  );
  return formatHostPort({ host: host || '127.0.0.1', port: Number(port || 7050) });
}

/** Checks the newest config of each channel in the ledger folder of a node. Each problem of a channel is a part. */
export default defineNodeChecker({
  name: 'channel-config',
  headlines: { failed: '{part} on {node} has a problem', warning: '{part} on {node} needs attention' },
  forNode,
  options: {
    ledger: {
      format: 'path',
      doc: 'ledger folder of the node, `peer.fileSystemPath` or `FileLedger.Location`',
    },
    tlsCert: {
      format: 'path',
      default: '',
      doc: 'PEM file with the TLS certificate of the node; empty: not checked',
    },
    kind: {
      format: ['peer', 'orderer'],
      default: 'orderer',
      doc: 'kind of the node; the certificate of an orderer should belong to a consenter',
    },
    msp: {
      format: 'path',
      default: '',
      doc: 'MSP directory of an orderer; its signing certificate should belong to a BFT consenter; empty: not checked',
    },
    mspid: {
      format: String,
      default: '',
      doc: 'MSP id of the node; one of its TLS CAs in the channel should have issued the certificate; empty: not checked',
    },
    listen: {
      format: String,
      default: '',
      doc: 'HOST:PORT at which an orderer listens for other orderers, which identifies it as a consenter if its key has changed; empty: not compared',
    },
    minimum: { format: 'duration', default: '504h', doc: 'how long each certificate must still be valid' },
    allow: {
      format: (value: unknown) => {
        if (
          !Array.isArray(value) ||
          !value.every((id) => typeof id === 'string' && /^[a-z0-9-]{1,100}$/.test(id))
        )
          throw new Error('must be a list of ids of findings, such as `acl-policy-missing`');
      },
      default: [],
      doc: 'ids of findings of `configtxlator check` that are accepted',
    },
  },
  create({ name, node: ownNode, options, log, metrics, events, facts, ledgers }) {
    const gauges = createGauges(metrics, name);
    const allow = new Set(options.allow as readonly string[]);
    const isOrderer = options.kind === 'orderer';
    const channels = new Map<string, ConfigReading>();
    const reader = ledgers.readerOf(options.ledger);
    let running: Promise<readonly FailedPart[]> | undefined;

    /** Reports the changes since the last known config block. */
    const reportChanges = async (
      channel: string,
      { ledger: { directory }, block }: ConfigReading,
    ): Promise<ChangeDocument | undefined> => {
      if (block === undefined) return undefined;
      const { lastChanges } = await import('./config.js');
      try {
        const changes = await lastChanges(directory, { after: block });
        for (const change of changes) {
          const event = eventOf(channel, change);
          log.info(`channel ${channel}: ${event.reason}`);
          events.notice(event);
        }
        return changes.at(-1);
      } catch (error) {
        log.warn(
          `the config of channel ${channel} has changed, but not all its changes can be read: ${reasonOf(error)}`,
        );
        return undefined;
      }
    };

    /** Reads the last change of a channel. Only called on request, because it takes as long as the check of a config. */
    const readLastChange = async (
      channel: string,
      { ledger: { directory } }: ConfigReading,
    ): Promise<ChangeDocument | undefined> => {
      try {
        const { lastChanges } = await import('./config.js');
        // The call below waits for the file system, so it must respond.
        await callFile(directory, () => stat(directory));
        return (await lastChanges(directory, { most: 1 }))[0];
      } catch (error) {
        log.debug(`the last change of channel ${channel} cannot be read: ${reasonOf(error)}`);
        return undefined;
      }
    };

    /** The maintenance of a channel with a new config. Its start is read once. */
    const maintenanceOf = async (
      channel: string,
      { ledger: { directory }, maintenance }: ConfigReading,
      { isInMaintenance }: KnownConfig,
    ): Promise<Maintenance | undefined> => {
      if (!isInMaintenance || maintenance !== undefined) return isInMaintenance ? maintenance : undefined;
      try {
        const { maintenanceStart } = await import('./config.js');
        return { since: await maintenanceStart(directory) };
      } catch (error) {
        log.debug(`the start of the maintenance of channel ${channel} cannot be read: ${reasonOf(error)}`);
        return {};
      }
    };

    /** Reads a new config block, and verifies some blocks of the ledger. */
    const readChannel = async (channel: string, known: ConfigReading): Promise<FailedPart | undefined> => {
      const { directory, config: block, error: unreadable } = known.ledger;
      try {
        if (unreadable !== undefined) throw unreadable;
        if (block !== undefined) {
          const { readConfig } = await import('./config.js');
          const config = await readConfig(block, options.mspid);
          known.lastChange = await reportChanges(channel, known);
          known.maintenance = await maintenanceOf(channel, known, config);
          known.config = config;
          known.block = block.number;
          known.problem = undefined;
        }
      } catch (error) {
        // The same block is read again in the next check.
        reader.repeat(channel);
        known.problem = reasonOf(error);
        const { damageOf } = await import('./verifier.js');
        const damage = damageOf(error);
        return { component: damage.severity === 'critical' ? `${channel}/ledger` : channel, ...damage };
      }
      const damage = await known.verifier.verify(directory);
      return damage && { component: `${channel}/ledger`, ...damage };
    };

    /** Finds the channels, and reads new config blocks. */
    const readChannels = async (): Promise<FailedPart[]> => {
      const { ConfigVerifier } = await import('./verifier.js');
      const ledgerChannels = await reader.read();
      const names = new Set(ledgerChannels.map((ledger) => ledger.name));
      for (const channel of channels.keys()) if (!names.has(channel)) channels.delete(channel);
      const problems: FailedPart[] = [];
      const yieldIfDue = createYielder(1);
      for (const ledger of ledgerChannels) {
        const known = channels.get(ledger.name) ?? { ledger, verifier: new ConfigVerifier() };
        known.ledger = ledger;
        channels.set(ledger.name, known);
        const problem = await readChannel(ledger.name, known);
        if (problem !== undefined) problems.push(problem);
        await yieldIfDue();
      }
      return problems;
    };

    const readTls = async (): Promise<TlsCertificate | undefined> => {
      const { tlsCert } = options;
      if (tlsCert === '' || channels.size === 0) return undefined;
      const bytes = await readForeignBytes(tlsCert, MAX_FILE_SIZE);
      const chain = certificateBlocks(bytes.toString('latin1'), MAX_CHAIN).flatMap(
        (pem) => parseCertificate(Buffer.from(pem)) ?? [],
      );
      const [certificate] = chain;
      if (certificate === undefined) throw new Error('contains no certificate');
      const notAfter = Date.parse(certificate.validTo);
      return { fingerprint: certificate.fingerprint256, key: hashOfKey(certificate), notAfter, chain };
    };

    /** The signing certificate; it is read only if there is a BFT channel. */
    const readIdentity = async (): Promise<X509Certificate | undefined> => {
      const { msp } = options;
      if (msp === '' || ![...channels.values()].some(({ config }) => config?.type === 'BFT'))
        return undefined;
      const { readMspFolder } = await import('fabric-ops-agent/translator/node');
      // The calls below wait for the file system, so it must respond.
      await callFile(msp, () => stat(msp));
      const files = (await readMspFolder(msp)).filesIn('signcerts');
      const found = files.map(({ bytes }) => parseCertificate(bytes)).find((each) => each !== undefined);
      if (found === undefined) throw new Error('signcerts contains no certificate');
      return found;
    };

    const inspect = async (): Promise<readonly FailedPart[]> => {
      const problems: FailedPart[] = [];
      const warn = (component: 'ledger' | 'tlsCert' | 'msp', error: unknown): undefined => {
        const path = options[component];
        const problem = describeUnreadable(error, ADVICE);
        const reason = problem.startsWith(path) ? problem : `${path}: ${problem}`;
        problems.push({ component, severity: 'warning', reason });
      };
      try {
        problems.push(...(await readChannels()));
      } catch (error) {
        channels.clear();
        warn('ledger', error);
      }
      const tls = await readTls().catch((error: unknown) => warn('tlsCert', error));
      const identity = await readIdentity().catch((error: unknown) => warn('msp', error));
      const own: OwnOrderer = {
        tlsKey: tls?.key,
        signKey: identity && hashOfKey(identity),
        addressIn: (addresses) =>
          options.listen === '' ? undefined : consenterAt(options.listen, addresses, tls?.chain[0]),
      };
      const shown = new Map<string, ShownConfig>();
      for (const [channel, { config, block }] of channels)
        if (config !== undefined && block !== undefined) {
          const mine = isOrderer ? ownKey(config, own) : undefined;
          shown.set(channel, {
            config,
            block,
            isConsenter: mine === undefined ? undefined : consenterWith(config, mine) !== undefined,
            isVerifiable: tls && config.tlsCas && isIssuedBy(tls.chain, config.tlsCas),
          });
        }
      await gauges.show(shown);
      facts.publish('consenters', consentersIn(channels, isOrderer ? own : NO_ORDERER));
      facts.publish('tls', tls && { fingerprint: tls.fingerprint, key: tls.key, notAfter: tls.notAfter });
      const holders = new Map(
        facts
          .latest('tls')
          .flatMap(({ node, value }) => (node === undefined ? [] : [[value.key, { ...value, name: node }]])),
      );
      // The verdict about a channel of a monitored node has the maintenance.
      const judgedBy = {
        ...options,
        now: Date.now(),
        own: tls,
        holders,
        allow,
        hasVerdict: ownNode !== undefined,
      };
      return [...problems, ...[...shown].flatMap(([channel, each]) => failuresOf(channel, each, judgedBy))];
    };

    const readConfigs: FactValues['configs'] = async (signal) => {
      const { documentOf } = await import('./document.js');
      const documents: ChannelDocument[] = [];
      const yieldIfDue = createYielder(1);
      for (const [channel, known] of channels) {
        signal.throwIfAborted();
        if (known.lastChange === undefined) {
          const change = await readLastChange(channel, known);
          // Meanwhile a check may have found a newer config.
          if (change?.block === Number(known.block)) known.lastChange = change;
        }
        documents.push(documentOf(channel, known));
        await yieldIfDue();
      }
      return documents;
    };

    return {
      kind: 'files',
      onTimeout: 'warning',

      init() {
        if (options.ledger === '') throw new Error('options.ledger: must be set');
      },

      start: () => facts.publish('configs', readConfigs),

      async check(signal) {
        // The first reading of many channels may take longer than one check; the next check joins it.
        running ??= inspect().finally(() => (running = undefined));
        // The check may have been aborted when it ends.
        running.catch(() => undefined);
        const failed = await untilAborted(running, signal);
        if (failed.length > 0) throw new FailedChecks(failed);
      },
    };
  },
});
