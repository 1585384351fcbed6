import { CheckWarning, FailedChecks, reasonOf } from '../../../core/contract/index.js';
import { defineNodeChecker, type ForNode } from '../../../core/contract/internal/index.js';
import { Poller } from '../../../core/kit/index.js';
import { newestConsenters } from '../../../core/kit/internal/index.js';
import { createGauges } from './gauges.js';
import { Judge, lagOf, responsesIn, type LinkReport } from './judge.js';
import type { AddressOverride, NetworkAddress, OrdererLinks } from './link.js';

/** Shortest and longest interval and timeout, in milliseconds. */
const MIN_TIME = 100;
const MAX_TIME = 3_600_000;
/** Time limit for reading files in a round and, in the first round, for loading modules, in milliseconds. */
const OTHER_WORK = 15_000;

const isText = (text: unknown): boolean => typeof text === 'string';

function checkNetwork(value: unknown): void {
  if (
    !Array.isArray(value) ||
    !value.every((entry: Partial<NetworkAddress> | null) => isText(entry?.from) && isText(entry?.to))
  )
    throw new Error('must be a list such as [{from: HOST:PORT, to: HOST:PORT}]');
}

function checkOverrides(value: unknown): void {
  if (
    !Array.isArray(value) ||
    !value.every(
      (entry: Partial<AddressOverride> | null) =>
        isText(entry?.from) &&
        isText(entry?.to) &&
        ['string', 'undefined'].includes(typeof entry?.caCertsFile),
    )
  )
    throw new Error('must be a list such as [{from: HOST:PORT, to: HOST:PORT, caCertsFile: FILE}]');
}

/** The orderers of the channels in the ledger folder of a peer. The checker sends its requests in the same way as the peer. */
const forNode: ForNode = (node) => {
  const [ledger, mspid] = [node.get<string>('ledger'), node.get<string>('mspId')];
  if (node.kind !== 'peer' || ledger.value === '' || mspid.value === '') return undefined;
  const tls = node.get<boolean>('tls.enabled');
  const overrides = node.get<readonly object[]>('addressOverrides');
  const network = node.get<readonly object[] | undefined>('network');
  const options = {
    ledger,
    msp: node.get<string>('msp'),
    mspid,
    tls,
    ...(overrides.value.length > 0 && { overrides }),
    ...(network.value !== undefined && { hasOwnNetwork: true, network }),
  };
  if (!tls.value || !node.get<boolean>('tls.clientAuthRequired').value) return options;
  const [clientCert, clientKey] = [node.get<string>('tls.clientCert'), node.get<string>('tls.clientKey')];
  return {
    ...options,
    tlsCert: clientCert.value === '' ? node.get<string>('tls.cert') : clientCert,
    tlsKey: clientKey.value === '' ? node.get<string>('tls.key') : clientKey,
  };
};

/** Checks that a peer can get blocks from the orderers of its channels. Each channel that fails is a part. */
export default defineNodeChecker({
  name: 'orderer-link',
  headlines: {
    failed: 'Orderers of {part} do not serve {node}',
    warning: 'Orderers of {part} and {node} need attention',
  },
  forNode,
  options: {
    ledger: { format: 'path', doc: 'ledger folder of the peer, `peer.fileSystemPath`' },
    mspid: { format: String, doc: 'MSP id of the identity that signs the requests' },
    msp: {
      format: 'path',
      default: '',
      doc: 'MSP directory of the peer; its identity signs the requests if `certificate` is empty',
    },
    certificate: {
      format: 'path',
      default: '',
      doc: 'PEM file with the signing certificate of another identity that may read the channels',
    },
    key: { format: 'path', default: '', doc: 'PEM file with the private key of `certificate`' },
    tls: {
      format: Boolean,
      default: false,
      doc: 'whether the orderers use TLS; their CAs are in the channel configs',
    },
    tlsCert: {
      format: 'path',
      default: '',
      doc: 'PEM file with the TLS client certificate, for orderers that require one',
    },
    tlsKey: { format: 'path', default: '', doc: 'PEM file with the private key of `tlsCert`' },
    overrides: {
      format: checkOverrides,
      default: [] as readonly AddressOverride[],
      doc: 'other addresses of orderers, a list of `from`, `to` and `caCertsFile`, as `peer.deliveryclient.addressOverrides`',
    },
    hasOwnNetwork: {
      format: Boolean,
      default: false,
      doc: 'whether the peer runs in a container with a network of its own, where names can have addresses that this host does not know',
    },
    network: {
      format: checkNetwork,
      default: [] as readonly NetworkAddress[],
      doc: 'addresses in this network, and where this host has them, a list of `from` and `to`',
    },
    interval: { format: 'duration', default: '15s', doc: 'time between two requests to an orderer' },
    timeout: { format: 'duration', default: '5s', doc: 'time limit for a request' },
    maxLag: { format: Number, default: 10, doc: 'how many blocks a ledger may be behind the orderers' },
    lagTimeout: {
      format: 'duration',
      default: '60s',
      doc: 'how long a ledger may be further behind than `maxLag`, or behind without growing',
    },
  },
  create({ name, options, metrics, node, readings, facts, ledgers }) {
    const gauges = createGauges(metrics, name);
    const isReader = options.certificate !== '';
    const judge = new Judge({ ...options, isReader, hasVerdict: node !== undefined });
    let links: OrdererLinks | undefined;

    const show = (found: readonly LinkReport[]): void => {
      gauges.show(found);
      facts.publish('responses', responsesIn(found));
    };

    /** The ledger of an orderer may have a newer config than the ledger of a peer in maintenance. */
    const isInMaintenance = ({ channel, config }: LinkReport): boolean => {
      const newest = newestConsenters(facts, channel);
      return newest !== undefined && newest.block >= (config?.block ?? 0)
        ? newest.maintenance !== undefined
        : config?.isInMaintenance === true;
    };

    const ask = async (signal: AbortSignal): Promise<readonly LinkReport[]> => {
      try {
        // Only agents with this checker load gRPC and the code for channels.
        links ??= new (await import('./link.js')).OrdererLinks(options, ledgers.readerOf(options.ledger));
        const states = await readings.read({ maxAge: Infinity, signal });
        const start = states.find((source) => source.name === node)?.reading?.startTime;
        return await links.ask(signal, start);
      } catch (error) {
        show([]);
        const advice = isReader
          ? ''
          : '; a reader identity needs no file of the peer: options.mspid, certificate and key';
        throw new CheckWarning(`cannot be checked: ${reasonOf(error)}${advice}`);
      }
    };

    const poller = new Poller(
      {
        interval: options.interval,
        timeout: options.timeout + OTHER_WORK,
        what: 'the requests to the orderers',
      },
      async (signal) => {
        const found = await ask(signal);
        show(found);
        const isBehind = found.some((link) => (lagOf(link) ?? 0) > 0);
        const lines = isBehind && node !== undefined ? await readings.logLines(node) : [];
        const failed = judge.failuresOf(found, performance.now(), lines, isInMaintenance);
        if (failed.length > 0) throw new FailedChecks(failed);
        if (links?.usesFormer === true)
          throw new CheckWarning(
            `no orderer accepts the TLS client certificate in ${options.tlsCert}, which was changed; this agent uses the former one, as the peer does until its restart: let the orderers trust the new one before it`,
          );
      },
    );

    return {
      onTimeout: 'warning',

      init() {
        for (const each of ['ledger', 'mspid'] as const)
          if (options[each] === '') throw new Error(`options.${each}: must be set`);
        if (options.certificate === '' && options.msp === '')
          throw new Error('options.msp or options.certificate must be set');
        for (const [certificate, key] of [
          ['certificate', 'key'],
          ['tlsCert', 'tlsKey'],
        ] as const)
          if ((options[certificate] === '') !== (options[key] === ''))
            throw new Error(`options.${certificate} and options.${key} must be set together`);
        for (const each of ['interval', 'timeout'] as const)
          if (options[each] < MIN_TIME || options[each] > MAX_TIME)
            throw new Error(`options.${each}: must be from 100ms to 1h`);
        if (options.maxLag < 0) throw new Error('options.maxLag: must not be negative');
      },

      start: () => poller.start(),

      check: (signal) => poller.outcome(signal),

      stop() {
        poller.stop();
        links?.close();
        links = undefined;
      },
    };
  },
});
