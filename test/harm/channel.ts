// The channel of a network as its administrators see it: who they are, and the updates that they sign.

import { computeUpdate, decode, encode } from '../../translator/index.js';
import { unsignedEnvelope } from '../../translator/channel/index.js';
import { readSignerFiles } from '../../translator/msp-folder.js';
import { signedBy, type Person } from '../../translator/rehearse/channel.js';
import { networkOf, type Network } from '../../translator/rehearse/network.js';
import { findSigningIdentity } from '../../translator/sign/index.js';
import type { ConfigGroupJson } from '../e2e/fabric/channel-edits.js';
import type { FabricNetwork } from '../e2e/fabric/network.js';
import { CHANNEL } from '../e2e/fabric/network-files.js';

async function personOf(mspId: string, role: Person['role'], directory: string): Promise<Person> {
  const signer = await findSigningIdentity({ mspid: mspId, ...readSignerFiles(directory) });
  return { name: mspId, mspId, role, ca: undefined, signer, directory };
}

/** A network with its people as rehearsals use it; the first admin is that of the orderers. */
export async function withPeople({ orderers, peers }: FabricNetwork): Promise<Network> {
  const people = [
    ...[orderers[0], ...peers].map(({ identity }) => personOf(identity.mspId, 'admin', identity.admin)),
    ...peers.map(({ identity }) => personOf(identity.mspId, 'client', identity.client)),
  ];
  const processes = [...orderers, ...peers].map(({ process }) => process);
  return networkOf(CHANNEL, processes, await Promise.all(people));
}

/** The channel group of a config block in its JSON form. */
function configOf(block: Uint8Array): { config: Uint8Array; tree: { channel_group: ConfigGroupJson } } {
  const json = JSON.parse(decode('common.Block', block)) as {
    data: { data: [{ payload: { data: { config: { channel_group: ConfigGroupJson } } } }] };
  };
  const { config: tree } = json.data.data[0].payload.data;
  return { config: encode('common.Config', Buffer.from(JSON.stringify(tree))), tree };
}

/**
 * Makes the envelope of a change of a config, signed by all admins and submitted by the first of them.
 *
 * @throws TranslateError if it changes nothing, or a message cannot have such a value
 */
export async function signedUpdate(
  block: Uint8Array,
  admins: readonly Person[],
  edit: (channel: ConfigGroupJson) => void,
): Promise<Uint8Array> {
  const { config, tree } = configOf(block);
  edit(tree.channel_group);
  const update = computeUpdate(config, encode('common.Config', Buffer.from(JSON.stringify(tree))), CHANNEL);
  return signedBy(unsignedEnvelope({ channel: CHANNEL, update, signatures: [] }), admins);
}
