// The parts of a plan, and the state for making it.

import { shellWord } from '../../common/text/shell-word.js';
import {
  FOLDER,
  valueOf,
  type Administrator,
  type CaFiles,
  type NewCertificate,
  type Target,
} from './commands.js';
import { addressText, type Consenter } from 'fabric-ops-agent/translator/channel';
import type { StoredChannel } from '../../fabric/stored-channel.js';
import { nodeOf, type Network } from './network.js';
import type { StoredCertificate, RescueNode } from './node.js';

/** An action of a step. */
export type Action =
  /** Runs a command in the working directory. */
  | { readonly kind: 'command'; readonly command: string }
  /** Writes a file of the working directory over a file of the node, or appends it; the file of the node is absolute. */
  | {
      readonly kind: 'replace' | 'append';
      readonly node: string;
      readonly file: string;
      readonly with: string;
    }
  /** Sets a value in the file of the node, or in the variable, which has precedence if it is set. */
  | {
      readonly kind: 'set';
      readonly node: string;
      readonly file: string;
      readonly key: string;
      readonly value: unknown;
      readonly variable: string;
    }
  | { readonly kind: 'stop' | 'start'; readonly node: string };

/** A step: its actions, and how to verify them before the next step. */
export interface Step {
  readonly number: number;
  readonly title: string;
  readonly reason: string;
  readonly actions: readonly Action[];
  /** The expected result, and commands that then succeed, if necessary after a minute. */
  readonly see: { readonly text: string; readonly commands: readonly string[] };
}

/** An expired certificate. */
export interface Expired {
  readonly node: string;
  readonly use: StoredCertificate['use'];
  readonly files: readonly string[];
  readonly subject: string;
  /** In ISO 8601. */
  readonly until: string;
  /** When the CA of a TLS certificate has expired, in ISO 8601. */
  readonly caUntil?: string;
}

/** A shell variable to set before the commands are run. */
export interface Input {
  readonly variable: string;
  readonly meaning: string;
}

/** Whether the private keys stay the same. */
export type Keys = 'same' | 'new';

/** The plan. */
export interface Plan {
  /** In ISO 8601. */
  readonly now: string;
  readonly keys: Keys;
  readonly expired: readonly Expired[];
  readonly inputs: readonly Input[];
  readonly steps: readonly Step[];
  readonly notes: readonly string[];
}

/** A node that gets other files, and the certificates that are replaced. */
export interface Renewed {
  readonly node: RescueNode;
  readonly certificates: readonly NewCertificate[];
}

/** A plan in progress. */
export class Planning {
  readonly network: Network;
  readonly keys: Keys;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly steps: Step[] = [];
  readonly #inputs = new Map<string, string>();

  constructor(network: Network, keys: Keys, now: number) {
    this.network = network;
    this.keys = keys;
    this.now = now;
  }

  get inputs(): readonly Input[] {
    return [...this.#inputs].map(([variable, meaning]) => ({ variable, meaning }));
  }

  add(step: Omit<Step, 'number'>): void {
    this.steps.push({ number: this.steps.length + 1, ...step });
  }

  isExpired(time: number | undefined): boolean {
    return time !== undefined && time <= this.now;
  }

  /** Whether the CA of a TLS certificate has expired. */
  hasExpiredCa({ use, ca }: StoredCertificate): boolean {
    return use === 'TLS' && this.isExpired(ca?.until);
  }

  /** The MSP ids of the nodes with an expired TLS CA. */
  mspsWithExpiredCa(nodes: readonly RescueNode[]): readonly string[] {
    const found = nodes.filter(({ certificates }) => certificates.some((each) => this.hasExpiredCa(each)));
    return [...new Set(found.map(({ mspId }) => mspId))];
  }

  /** The MSP ids of the renewed TLS CAs that a node must trust before the channels have them; an orderer needs the CAs of all orderers. */
  newCasOf(node: RescueNode): readonly string[] {
    return this.mspsWithExpiredCa(
      node.kind === 'peer' ? [node] : this.network.nodes.filter(({ kind }) => kind === 'orderer'),
    );
  }

  /** Declares a shell variable for an input from an organisation. @returns its name */
  input(mspId: string, name: string, meaning: string): string {
    const variable = `${mspId.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_${name}`.replace(/^(?=\d)/, '_');
    this.#inputs.set(variable, meaning);
    return variable;
  }

  /** The files of a CA of an organisation. */
  ca(mspId: string, name: 'CA' | 'TLS_CA'): CaFiles {
    const what = name === 'CA' ? 'CA' : 'TLS CA';
    return {
      certificate: valueOf(this.input(mspId, name, `file of the certificate of the ${what} of ${mspId}`)),
      key: valueOf(this.input(mspId, `${name}_KEY`, `file of the private key of the ${what} of ${mspId}`)),
    };
  }

  administrator(mspId: string): Administrator {
    this.#inputs.set('FABRIC_CFG_PATH', 'directory with a core.yaml, for the peer program');
    const meaning = `MSP directory of an administrator of ${mspId} with a valid certificate`;
    return { mspId, variable: this.input(mspId, 'ADMIN', meaning) };
  }

  /** The consenters of a channel with a given file, and their nodes. */
  consentersOf({
    channel,
  }: StoredChannel): readonly { readonly node: RescueNode; readonly consenter: Consenter }[] {
    return channel.orderer.consenters.flatMap((consenter) => {
      const node = nodeOf(consenter, this.network.nodes);
      return node === undefined ? [] : [{ node, consenter }];
    });
  }

  /** The consenter of a channel that a node is; undefined: it is none. */
  consenterOf(channel: StoredChannel, node: RescueNode): Consenter | undefined {
    return this.consentersOf(channel).find((each) => each.node === node)?.consenter;
  }

  /**
   * How to reach an orderer for a channel.
   *
   * @param shift how far TLS handshakes are set back, to a time at which only the old CA was valid; undefined: not at all
   */
  target(channel: StoredChannel, node: RescueNode, shift?: string): Target {
    const consenter = this.consenterOf(channel, node);
    const own = node.certificates.find(({ use }) => use === 'TLS');
    const ca =
      own !== undefined && this.hasExpiredCa(own) && shift === undefined
        ? // The peer program resolves the path against the directory of core.yaml.
          `"$PWD"/${shellWord(newCaFile(node.mspId))}`
        : own?.caFile === undefined
          ? valueOf(
              this.input(node.mspId, 'TLS_CA', `file of the certificate of the TLS CA of ${node.mspId}`),
            )
          : shellWord(own.caFile);
    const hasOtherPort = node.hasClusterListener && node.port !== 0;
    const address = hasOtherPort
      ? `${consenter?.host}:${node.port}`
      : consenter === undefined
        ? ''
        : addressText(consenter);
    return { address, channel: channel.name, ca, shift, client: node.client };
  }

  /** The renewed TLS CAs that a node trusts in addition. */
  newTrust(node: RescueNode): readonly Action[] {
    return this.newCasOf(node).flatMap((mspId) =>
      node.trusted.map((file): Action => ({
        kind: 'append',
        node: node.name,
        file,
        with: newCaFile(mspId),
      })),
    );
  }
}

/** The files that are replaced on a node. */
export const replacements = (node: RescueNode, certificates: readonly NewCertificate[]): readonly Action[] =>
  certificates.flatMap(({ tag, old, hasNewKey }) =>
    old.files.flatMap(({ certificate, key }): readonly Action[] => [
      { kind: 'replace', node: node.name, file: certificate, with: `${FOLDER}/${tag}.crt` },
      ...(hasNewKey && key !== ''
        ? [{ kind: 'replace', node: node.name, file: key, with: `${FOLDER}/${tag}.key` } as const]
        : []),
    ]),
  );

export const commands = (...list: readonly string[]): readonly Action[] =>
  list.map((command) => ({ kind: 'command', command }));

/** Replaces characters that some file systems do not allow. */
export const fileName = (name: string): string => name.replaceAll(/[^A-Za-z0-9._-]+/g, '-');

/** The file of the renewed TLS CA of an organisation, in the working directory. */
export const newCaFile = (mspId: string): string => `${FOLDER}/${fileName(mspId)}-tls-ca.pem`;
