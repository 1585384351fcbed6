// Chains of config blocks made in the process, signed with keys that tests have: what orderers of a channel could have made, or a liar.

import { createHash, sign as signBytes } from 'node:crypto';
import { concatBytes, NO_BYTES } from '../../proto/bytes.js';
import {
  CommonChannelHeader,
  CommonConfigEnvelope,
  CommonEnvelope,
  CommonIdentifierHeader,
  CommonMetadata,
  CommonOrdererBlockMetadata,
  CommonOrderers,
  CommonPayload,
  MspFabricMSPConfig,
  MspMSPConfig,
  OrdererBatchTimeout,
} from '../../proto/messages.js';
import { writeMessage } from '../../proto/typed.js';
import { blockValidationPolicy } from '../../translator/channel/consenters.js';
import type { Config, ConfigGroup } from '../../translator/channel/element.js';
import { makeGroup, makeValue } from '../../translator/channel/make.js';
import type { BftConsenter } from '../../translator/channel/values.js';
import { writeConfig } from '../../translator/channel/write.js';
import { withAddresses } from '../../translator/edit/addresses.js';
import { changeGroup, withPolicy, withValue } from '../../translator/edit/tree.js';
import { blockHash, headerBytes, type StoredBlock } from '../../translator/ledger/index.js';
import { unsignedEnvelope } from '../../translator/channel/envelope.js';
import { readSigningIdentity, type SigningIdentity } from '../../translator/sign/index.js';
import { computeUpdate } from '../../translator/update/index.js';
import { lowS, makeCertificate, type Made } from './made-certificates.js';
import { configBlock } from './migration.js';

/** The channel, if no other one is given. */
const CHANNEL = 'ch1';

const MSP_ID = 'OrdererMSP';
const NONCE = new Uint8Array(24);

/** The consenters of a BFT channel, which one organisation runs. */
export class Consenters {
  readonly #ca = makeCertificate({ commonName: 'ca' });
  readonly #signers: readonly Made[];
  readonly #addresses: readonly string[];
  readonly #channel: string;

  /** @param addresses `host:port` of each */
  constructor(addresses: readonly string[], channel = CHANNEL) {
    this.#channel = channel;
    this.#addresses = addresses;
    this.#signers = addresses.map((commonName) => makeCertificate({ commonName, issuer: this.#ca }));
  }

  /**
   * Config blocks from block 0 on, each with the next config. All consenters sign each block.
   *
   * @param unit of the batch timeout, which each block increases: chains with other units differ
   * @param begin the first blocks, which may be of other consenters
   */
  chain(length: number, unit = 's', begin: readonly StoredBlock[] = []): readonly StoredBlock[] {
    const all = [...begin];
    while (all.length < length) all.push(this.#configBlock(all.at(-1), BigInt(all.length), unit));
    return all;
  }

  /** The administrator of the organisation, who may change the settings of the orderers. */
  async admin(): Promise<SigningIdentity> {
    return readSigningIdentity({ mspid: MSP_ID, ...this.adminFiles() });
  }

  /** The certificate and the key of the administrator, in PEM. */
  adminFiles(): { readonly certificate: Buffer; readonly key: Buffer } {
    const { pem, key } = this.#signers[0]!;
    return { certificate: pem, key: Buffer.from(key.export({ type: 'pkcs8', format: 'pem' })) };
  }

  /** So many config blocks, each with a block of transactions after it. */
  sparseChain(configs: number, unit = 's'): readonly StoredBlock[] {
    const all: StoredBlock[] = [];
    for (let sequence = 0; sequence < configs; sequence++) {
      const config = this.#configBlock(all.at(-1), BigInt(sequence), unit);
      all.push(config, this.#block(config, this.#envelope(3, NO_BYTES), config.number));
    }
    return all;
  }

  /** So many config blocks, then one that puts other consenters in the place of these, which these sign. */
  handOver(length: number, others: Consenters, unit = 's'): readonly StoredBlock[] {
    const all = this.chain(length, unit);
    return [...all, this.#block(all.at(-1), others.#configEnvelope(BigInt(length), unit))];
  }

  #configBlock(previous: StoredBlock | undefined, sequence: bigint, unit: string): StoredBlock {
    return this.#block(previous, this.#configEnvelope(sequence, unit));
  }

  #configEnvelope(sequence: bigint, unit: string): Uint8Array {
    const config = writeConfig(this.#config(sequence, unit));
    const data = writeMessage(CommonConfigEnvelope, {
      config,
      ...(sequence > 0n && { lastUpdate: this.update(sequence, unit) }),
    });
    return this.#envelope(1, data);
  }

  #envelope(type: number, data: Uint8Array): Uint8Array {
    const channelHeader = writeMessage(CommonChannelHeader, { type, channelId: this.#channel });
    const payload = writeMessage(CommonPayload, { header: { channelHeader }, data });
    return writeMessage(CommonEnvelope, { payload });
  }

  /** @param lastConfig the number of the newest config block; this one if it is not given */
  #block(previous: StoredBlock | undefined, envelope: Uint8Array, lastConfig?: bigint): StoredBlock {
    const number = previous === undefined ? 0n : previous.number + 1n;
    const block: StoredBlock = {
      number,
      previousHash: previous === undefined ? NO_BYTES : blockHash(previous),
      dataHash: createHash('sha256').update(envelope).digest(),
      data: [envelope],
      metadata: [],
    };
    const value = writeMessage(CommonOrdererBlockMetadata, { lastConfig: { index: lastConfig ?? number } });
    const signatures = this.#signers.map(({ key }, index) => {
      const identifierHeader = writeMessage(CommonIdentifierHeader, { identifier: index + 1, nonce: NONCE });
      const message = concatBytes(value, concatBytes(identifierHeader, headerBytes(block)));
      return { identifierHeader, signature: lowS(signBytes('sha256', message, key)) };
    });
    return { ...block, metadata: [writeMessage(CommonMetadata, { value, signatures })] };
  }

  /** The unsigned envelope with the update that makes the config of a block of the config before. */
  update(number: bigint, unit = 's'): Uint8Array {
    const [before, after] = [number - 1n, number].map((each) => writeConfig(this.#config(each, unit)));
    const update = computeUpdate(before!, after!, this.#channel);
    return unsignedEnvelope({ channel: this.#channel, update, signatures: [] });
  }

  #config(sequence: bigint, unit: string): Config {
    const { config } = configBlock(5);
    const consenters = this.#signers.map(({ pem }, index): BftConsenter => ({
      id: index + 1,
      host: this.#addresses[index]!.split(':')[0]!,
      port: Number(this.#addresses[index]!.split(':')[1]),
      mspId: MSP_ID,
      identity: pem,
      clientTlsCert: pem,
      serverTlsCert: pem,
    }));
    const msp = writeMessage(MspMSPConfig, {
      config: writeMessage(MspFabricMSPConfig, {
        name: MSP_ID,
        rootCerts: [this.#ca.pem],
        admins: [this.#signers[0]!.pem],
        tlsRootCerts: [this.#ca.pem],
        cryptoConfig: { signatureHashFamily: 'SHA2', identityIdentifierHashFunction: 'SHA256' },
      }),
    });
    const orderers = writeMessage(CommonOrderers, { consenterMapping: consenters });
    const timeout = writeMessage(OrdererBatchTimeout, { timeout: `${sequence + 1n}${unit}` });
    const channelGroup = changeGroup(config.channelGroup, ['Orderer'], (group) =>
      withPolicy(
        changeGroup(
          withTimeout(withValue(group, 'Orderers', orderers), timeout, sequence),
          ['OrdererOrg'],
          (organization) => withAddresses(withValue(organization, 'MSP', msp), 'Endpoints', this.#addresses),
        ),
        'BlockValidation',
        blockValidationPolicy(consenters),
      ),
    );
    return { ...config, sequence, channelGroup };
  }
}

function withTimeout(group: ConfigGroup, timeout: Uint8Array, version: bigint): ConfigGroup {
  const value = makeValue({ ...group.values.get('BatchTimeout')!, value: timeout, version });
  return makeGroup({ ...group, values: new Map([...group.values, ['BatchTimeout', value]]) });
}
