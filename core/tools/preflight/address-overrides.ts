// Checks the address overrides for the orderers of a peer (Fabric: core/deliverservice/config.go, `LoadOverridesMap`).

import { resolve } from 'node:path';
import { decodeAllPem, type PemBlock } from 'fabric-ops-agent/translator/msp';
import { addressOverridesIn, type AddressOverride } from '../../../config/index.js';
import { readRegularBytes } from '../../common/files/regular-file.js';
import { asList, listInText, originAt } from './builders.js';
import type { Found } from './cause.js';
import { fileError } from './files.js';
import { isVariable, type PreflightNode } from './node.js';

/** Largest file with CAs, in bytes. */
const MAX_CA_SIZE = 1024 * 1024;

/** A list that cannot be decoded prevents the start of the peer; releases before 2.5.15 and 3.1.4 accept no text. */
export function overrideCauses(node: PreflightNode): Found[] {
  const key = 'peer.deliveryclient.addressOverrides';
  const { value, origin } = node.value(key);
  const { isRecent, hasNewLists } = node.decoders;
  const list = typeof value === 'string' && isRecent ? listInText(key, value, hasNewLists) : asList(value);
  const index = 'problem' in list ? -1 : list.findIndex((each) => each !== null && !(each instanceof Map));
  if (!('problem' in list) && index < 0)
    return addressOverridesIn(list).flatMap((each, at) =>
      uselessOverride(node, each, originAt(node, key, origin, at)),
    );
  return [
    {
      id: 'wrong-value',
      says: `could not unmarshal ${key}: `,
      means: `${key} is not a list of mappings`,
      where: origin,
      todo:
        isVariable(origin) && !isRecent
          ? 'write the list into the file: this version cannot read it from a variable'
          : 'write it as [{from: HOST:PORT, to: HOST:PORT, caCertsFile: FILE}]',
    },
  ];
}

/** An override with unusable CAs: the peer starts, and connects to the address in the channel. A relative path starts at its working directory. */
function uselessOverride(
  { cwd }: PreflightNode,
  { from, to, caCertsFile }: AddressOverride,
  where: string,
): Found[] {
  if (caCertsFile === '') return [];
  let blocks: readonly PemBlock[] = [];
  const problem = fileError(caCertsFile, () => {
    blocks = decodeAllPem(readRegularBytes(resolve(cwd, caCertsFile), MAX_CA_SIZE));
  });
  if (problem === undefined && blocks.some(({ label }) => label === 'CERTIFICATE')) return [];
  return [
    {
      id: 'override-without-effect',
      severity: 'warning',
      says:
        problem === undefined
          ? `Attempted to create a cert pool for override of orderer address '${from}' to '${to}' but did not find any valid certs in '${caCertsFile}'`
          : `could not read file '${caCertsFile}' specified for caCertsFile of orderer endpoint override from '${from}' to '${to}': ${problem}`,
      means: `the address override of ${from} has no effect: the peer starts, and connects to ${from}, not to ${to}`,
      where,
      todo: 'name a PEM file with the CA of the TLS certificate of the orderer; a relative path starts at the working directory of the peer',
    },
  ];
}
