// `fabric-ops-agent/translator/node`: the ledger of a node and MSP directories, which are read from the disk. Node.js only.

export { Ledger, LedgerFollower, blockBytes, channelFoldersOf, type StoredBlock } from '../ledger/index.js';
export { readMspFolder, readSignerFiles, type SignerFiles } from '../msp-folder.js';
