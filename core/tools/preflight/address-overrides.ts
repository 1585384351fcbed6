// Checks the address overrides for the orderers of a peer (Fabric: core/deliverservice/config.go, `LoadOverridesMap`).

import { resolve } from 'node:path';
import { decodeAllPem, type PemBlock } from '../../common/certificates/pem.js';
import {
  addressOverridesIn,
  asList,
  listInText,
  type AddressOverride,
  type NodeValues,
} from '../../../config/index.js';
import { readRegularBytes } from '../../common/files/regular-file.js';
import { originAt } from './builders.js';
import { finding, type Finding } from './cause.js';
import type { ProgramDecoders } from './decoders.js';
import { fileError } from './files.js';

/** Largest file with CAs, in bytes. */
const MAX_CA_SIZE = 1024 * 1024;

/** A list that cannot be decoded prevents the start of the peer; releases before 2.5.15 and 3.1.4 accept no text. */
export function overrideCauses(node: NodeValues<ProgramDecoders>): Finding[] {
  const key = 'peer.deliveryclient.addressOverrides';
  const given = node.value(key);
  const { value, origin, variable } = given;
  const { isRecent, hasNewLists } = node.decoders;
  const list = typeof value === 'string' && isRecent ? listInText(key, value, hasNewLists) : asList(value);
  const index = 'problem' in list ? -1 : list.findIndex((each) => each !== null && !(each instanceof Map));
  if (!('problem' in list) && index < 0)
    return addressOverridesIn(list).flatMap((each, at) =>
      uselessOverride(node, each, originAt(node, key, given, at)),
    );
  const isUnreadVariable = variable !== undefined && !isRecent;
  return [finding('wrong-value', origin, { list: 'overrides', isUnreadVariable })];
}

/** An override with unusable CAs: the peer starts, and connects to the address in the channel. A relative path starts at its working directory. */
function uselessOverride(
  { cwd }: NodeValues,
  { from, to, caCertsFile }: AddressOverride,
  where: string,
): Finding[] {
  if (caCertsFile === '') return [];
  let blocks: readonly PemBlock[] = [];
  const problem = fileError(caCertsFile, () => {
    blocks = decodeAllPem(readRegularBytes(resolve(cwd, caCertsFile), MAX_CA_SIZE));
  });
  if (problem === undefined && blocks.some(({ label }) => label === 'CERTIFICATE')) return [];
  return [finding('override-without-effect', where, { from, to, file: caCertsFile, problem })];
}
