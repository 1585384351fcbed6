// Differences between the programs of the versions: their decoders of files and variables, and their messages. Releases of one minor version
// are distinguished by their version of Go (go.mod of each release).

import type { Program } from 'fabric-ops-agent/translator/msp';

/** The decoders of a program. */
export interface Decoders {
  /** Whether `yes` and `on` in a file are booleans, as in YAML 1.1; else they are texts. */
  readonly hasYamlBooleans: boolean;
  /** Whether an empty variable of a peer is a value (cmd/peer/main.go, `AllowEmptyEnv`). */
  readonly hasEmptyValues: boolean;
  /** Whether variables of keys below `peer.BCCSP` have an effect: not for a peer of 3.0.0, because its viper does not pass them to a section. */
  readonly hasCryptoVariables: boolean;
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
export function decodersOf(kind: 'peer' | 'orderer', { fabric, go }: Program): Decoders {
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
