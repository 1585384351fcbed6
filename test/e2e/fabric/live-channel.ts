// Runs configtxlator against the orderers of a network, as the administrator of an organisation.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { stringify } from 'yaml';
import {
  runProgram,
  startProgram,
  TRANSLATOR,
  type Outcome,
  type RunningProgram,
} from '../../helpers/program.js';
import { eventually } from '../daemon.js';
import type { FabricNetwork } from './network.js';
import { CHANNEL, type Identity } from './network-files.js';
import type { FabricNode } from './node.js';

/** The address of the channel at some orderers. */
export const channelAt = (...orderers: readonly FabricNode[]): string => networkOf(orderers, CHANNEL);

/** The address of a channel at some orderers. */
export const networkOf = (orderers: readonly FabricNode[], channel: string): string =>
  `grpcs://${orderers.map(({ address }) => address).join(',')}/${channel}`;

/** configtxlator with a profile. */
export interface Translator {
  /** Runs a command until it exits. */
  run(...args: readonly string[]): Promise<Outcome>;
  /** Starts a command. */
  start(...args: readonly string[]): RunningProgram;
}

/** The program as an administrator uses it in the directory of the network, with a profile of the network and the identity. */
export function translatorAs(
  t: ExecutionContext,
  network: FabricNetwork,
  identity: Identity,
  more: Readonly<Record<string, string>> = {},
): Translator {
  const profile = writeProfile(network, identity, more);
  const options = { program: TRANSLATOR, cwd: network.directory };
  return {
    run: (...args) => runProgram(t, [...args, '--profile', profile], options),
    start: (...args) => startProgram(t, [...args, '--profile', profile], options),
  };
}

/** Writes a profile of a network and an identity; returns its file. */
export function writeProfile(
  { directory, orderers }: FabricNetwork,
  { mspId, admin }: Identity,
  more: Readonly<Record<string, string>> = {},
): string {
  const profile = join(directory, `profile-${[mspId, ...Object.keys(more)].join('-')}.yaml`);
  const network = channelAt(...orderers);
  const { ca } = orderers[0].identity.tls;
  writeFileSync(profile, stringify({ network, 'tls-ca': ca, msp: admin, mspid: mspId, ...more }));
  return profile;
}

/** Waits until an orderer serves the channel: without a leader it does not. */
export const untilServed = (translator: Translator, orderer: FabricNode): Promise<void> =>
  eventually(async () => {
    const { status, stderr } = await translator.run('show', channelAt(orderer));
    if (status !== 0) throw new Error(stderr);
  });

/** How many calls of Broadcast the orderers have logged. */
export const broadcasts = ({ orderers }: FabricNetwork): number =>
  orderers.reduce((count, each) => count + each.log().split('grpc.method=Broadcast').length - 1, 0);
