// `org list`, `consenter list`, `policy list` and `acl list`: one part of a channel each.

import type { ChannelSummary } from '../../documents/index.js';
import { defineCommand, optionalArgument, type Command } from '../command.js';
import { withPrefix } from '../errors.js';
import { jsonText, printText } from '../files.js';
import { JSON_FLAG, NETWORK } from '../flags.js';
import { text } from '../kinds.js';
import { sourceOf } from '../profile.js';

/** A part of a channel. */
interface Part {
  readonly name: string;
  readonly help: string;
  readonly example: string;
  readonly columns: readonly string[];
  readonly rows: (channel: ChannelSummary) => Promise<readonly (readonly string[])[]>;
  /** The part of the JSON of `show`. */
  readonly json: (channel: ChannelSummary) => unknown;
}

const listCommand = ({ name, help, example, columns, rows, json: partOf }: Part): Command =>
  defineCommand({
    name,
    help,
    example,
    flags: { json: JSON_FLAG, network: NETWORK },
    arguments: {
      source: optionalArgument(
        text,
        'A config block, a config, or the ledger or network of a channel, as for fetch; by default the network of the profile.',
      ),
    },
    async run({ source: given, json, network }, io) {
      const { documentText, placeText, summariseChannel, tableOf } = await import('../../documents/index.js');
      const { readConfigInput } = await import('../inputs.js');
      const source = await sourceOf(given, network, 'source');
      const config = await readConfigInput(source, network, io);
      const channel = await withPrefix(source, () => summariseChannel(config));
      if (json) return printText(jsonText(partOf(channel)), io);
      const found = await rows(channel);
      const title = placeText(channel.channel ?? null, channel.block ?? null) || source;
      const table = tableOf([columns, ...found], { maxWidth: MAX_WIDTH });
      return printText(documentText({ title, blocks: [table] }, io.display), io);
    },
  });

/** A longer text in a column does not widen it, in characters. */
const MAX_WIDTH = 52;

const orNone = (texts: readonly string[]): string => (texts.length === 0 ? '-' : texts.join(', '));

/** Names and values of the channel, which the terminal prints as they are. */
const plainRows = async (rows: readonly (readonly string[])[]): Promise<readonly (readonly string[])[]> =>
  rows;

const ORGANIZATIONS: Part = {
  name: 'org list',
  help: 'Lists the organisations of a channel: the id of the MSP, and the anchor peers or the endpoints of the orderers.',
  example: 'org list config_block.pb',
  columns: ['ORGANISATION', 'MSP', 'ANCHOR PEERS OR ENDPOINTS'],
  json: ({ organizations }) => organizations,
  rows: ({ organizations }) =>
    plainRows(
      organizations.map(({ section, name, mspid = '-', anchorPeers, endpoints }) => [
        `${section}/${name}`,
        mspid,
        orNone([...anchorPeers, ...endpoints]),
      ]),
    ),
};

const CONSENTERS: Part = {
  name: 'consenter list',
  help: 'Lists the consenters of a channel: their addresses, and when their certificates expire.',
  example: 'consenter list config_block.pb',
  columns: ['CONSENTER', 'MSP', 'TLS UNTIL', 'IDENTITY'],
  json: ({ orderer }) => orderer?.consenters ?? [],
  rows: ({ orderer }) =>
    plainRows(
      (orderer?.consenters ?? []).map(({ address, mspid = '-', clientTls, serverTls, identity }) => [
        address,
        mspid,
        [...new Set([clientTls, serverTls].map(({ notAfter }) => notAfter?.slice(0, 10) ?? '-'))].join(', '),
        identity?.subject ?? '-',
      ]),
    ),
};

const POLICIES: Part = {
  name: 'policy list',
  help: 'Lists the policies of a channel: the path and the rule of each.',
  example: 'policy list config_block.pb',
  columns: ['POLICY', 'RULE'],
  json: ({ policies }) => policies,
  rows: ({ policies }) =>
    plainRows(policies.map(({ path, text: rule, valid }) => [path, valid ? rule : `refused: ${rule}`])),
};

const ACLS: Part = {
  name: 'acl list',
  help: "Lists the policy that each resource of the peers requires: the ACLs of the channel, and Fabric's defaults.",
  example: 'acl list config_block.pb',
  columns: ['RESOURCE', 'POLICY', ''],
  json: ({ acls }) => acls,
  async rows({ acls }) {
    const { ACL_DEFAULTS } = await import('../../channel/index.js');
    const own = new Set(acls.map(({ resource }) => resource));
    return [
      ...acls.map(({ resource, policy }) => [resource, policy, 'set in the channel']),
      ...[...ACL_DEFAULTS]
        .filter(([resource]) => !own.has(resource))
        .map(([resource, policy]) => [resource, policy, 'default']),
    ];
  },
};

/** The commands, in the order of the help. */
export const LIST_COMMANDS: readonly Command[] = [ORGANIZATIONS, CONSENTERS, POLICIES, ACLS].map(listCommand);
