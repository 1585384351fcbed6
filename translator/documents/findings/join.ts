// Findings about joining a channel with a block.

import { quoted, words, type FindingWords } from './words.js';

/** Why an orderer does not join a channel with a block. */
export type JoinProblem =
  | { readonly problem: 'metadata' | 'data-hash' | 'consortiums' | 'no-application' }
  | { readonly problem: 'no-orderer' | 'no-block-validation' | 'no-raft-metadata' }
  | { readonly problem: 'transactions'; readonly count: number }
  | { readonly problem: 'channel-name'; readonly name: string }
  | { readonly problem: 'consensus-type'; readonly type: string; readonly known: readonly string[] };

const MAKE = 'make the block with configtxgen, or fetch it again';

/** In words. */
export const JOIN = { 'join-refused': joinWords };

function joinWords(data: JoinProblem): FindingWords {
  switch (data.problem) {
    case 'transactions':
      return words(`the block has ${data.count} transactions, a config block has one`, MAKE);
    case 'metadata':
      return words('the block has no metadata', MAKE);
    case 'data-hash':
      return words('the data hash in the header of the block does not match its data', MAKE);
    case 'channel-name':
      return words(
        `${quoted(data.name)} is no name of a channel`,
        'use lower-case letters, digits, dots and dashes, a letter first, at most 249 characters',
      );
    case 'consortiums':
      return words(
        'the config has the group Consortiums: orderers from Fabric 3.0 on have no system channel',
        'remove the group Consortiums, or use orderers of Fabric 2.5',
      );
    case 'no-application':
      return words('the config has no group Application', 'add the group Application with its organisations');
    case 'no-orderer':
      return words('the config has no group Orderer', 'add the group Orderer');
    case 'no-block-validation':
      return words('the group Orderer has no policy BlockValidation', 'add it, for example ANY Writers');
    case 'no-raft-metadata':
      return words('the metadata of the consensus type is empty', 'set options and consenters');
    case 'consensus-type':
      break;
  }
  return words(
    `these orderers cannot join a channel of the consensus type ${quoted(data.type)}`,
    `use ${data.known.join(' or ')}`,
  );
}
