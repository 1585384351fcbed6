// Differences between the programs of the versions: their decoders of files and variables, and their messages. Releases of one minor version
// are distinguished by their version of Go (go.mod of each release).

import type { Program } from 'fabric-ops-agent/translator/msp';
import type { Decoders } from '../../../config/index.js';

/** The decoders and the messages of a program. */
export interface ProgramDecoders extends Decoders {
  /** Whether a list in a text must have a value, and `null` is an empty list: from 3.1 on. */
  readonly hasNewLists: boolean;
  /** Whether lists in variables are decoded everywhere, and Docker is used through its own client: 2.5.15, 3.1.4 and newer. */
  readonly isRecent: boolean;
  /** Whether the messages of an orderer about TLS files say TLS: not 3.0.0. */
  readonly namesTls: boolean;
  /** Whether an error about the signing certificate or the CAs of the MSP names their directory: 3.1.4 and newer (msp/configbuilder.go, `getMspConfig`). */
  readonly namesMspFolders: boolean;
}

/** The decoders of a program of a peer or an orderer. */
export function programDecoders(kind: 'peer' | 'orderer', { fabric, go }: Program): ProgramDecoders {
  const isVersion3 = fabric !== '2.5';
  // Except for the file of a peer, 3.0.0, which is built with Go 1.23, still has the parser of 2.5.
  const isVersion31 = isVersion3 && go !== '1.23';
  const hasNewYaml = kind === 'peer' ? isVersion3 : isVersion31;
  return {
    hasYamlBooleans: !hasNewYaml,
    hasEmptyValues: kind === 'peer' && isVersion3,
    hasCryptoVariables: kind === 'orderer' || !isVersion3 || isVersion31,
    hasNewLists: isVersion31,
    isRecent: go === '1.26',
    namesTls: !isVersion3 || isVersion31,
    namesMspFolders: isVersion3 && go === '1.26',
  };
}
