// Dropped files, recognised by their content.

import { attempt } from '#proto/errors.js';
import { encode } from '#proto/index.js';
import { readChannelFile, type ConfigFile, type Envelope } from '#translator/channel/index.js';
import { readIdentities, type FoundIdentity } from '#translator/identity/index.js';
import { configBlocksIn, LEDGER_FILE } from '#translator/ledger/block-file.js';

/** A dropped file. */
export interface Dropped {
  /** Its path in a dropped folder, otherwise its name. */
  readonly path: string;
  /** Empty if the file is too large. */
  readonly bytes: Uint8Array;
  readonly size: number;
}

/** A dropped file that is not read yet. */
export interface UnreadFile {
  readonly path: string;
  /** @throws the error of the browser if it cannot be read */
  readonly read: () => Promise<Dropped>;
}

/** A file that the page has read. Exactly one of `error`, `config`, `update` and `identities` is defined. */
export interface PageFile {
  readonly name: string;
  /** The reason that it cannot be read. */
  readonly error: string | undefined;
  readonly config: ConfigFile | undefined;
  readonly update: Envelope | undefined;
  /** Certificates, serialized identities, identities of wallets, or the signers of an envelope that is not an update. */
  readonly identities: readonly FoundIdentity[] | undefined;
  /** The block; undefined if the file is not one. */
  readonly block: Uint8Array | undefined;
  /** Whether the page made or signed it, so that users have no such file yet. */
  readonly isMade?: boolean;
}

/** A config block. */
export interface BlockFile {
  readonly config: ConfigFile;
  readonly block: Uint8Array;
}

const UNREAD = {
  error: undefined,
  config: undefined,
  update: undefined,
  identities: undefined,
  block: undefined,
};

/** The maximum size of a file, in bytes. */
export const MAX_SIZE = 100 * 1024 * 1024;

/** A file that cannot be read, with the reason. */
export const unreadFile = (name: string, error: string): PageFile => ({ ...UNREAD, name, error });

/** Reads a file. A file of a ledger is read as its config blocks. */
export function readPageFiles(dropped: Dropped): readonly PageFile[] {
  if (!LEDGER_FILE.test(dropped.path)) return [readPageFile(dropped)];
  return attempt(
    () =>
      configBlocksIn(dropped.bytes).map((bytes, index) =>
        readPageFile({ path: `${dropped.path}, config block ${index + 1}`, bytes, size: bytes.length }),
      ),
    ({ message }) => [unreadFile(dropped.path, message)],
  );
}

/** The serialized messages that configs were read from. */
const SOURCES = new WeakMap<ConfigFile, Uint8Array>();

/** The serialized message that a config was read from; undefined if it was made otherwise. */
export const sourceOf = (file: ConfigFile): Uint8Array | undefined => SOURCES.get(file);

/** Reads a block, a config, an update or an envelope, in protobuf or in JSON; otherwise the identities in the file. */
export function readPageFile({ path, bytes, size }: Dropped): PageFile {
  const none = { ...UNREAD, name: path };
  if (size > MAX_SIZE) return unreadFile(path, `it is larger than ${MAX_SIZE} bytes`);
  return attempt(
    (): PageFile => {
      let binary = bytes;
      const file = readChannelFile(bytes, (type, json) => (binary = encode(type, json)));
      if (file.kind === 'update') return { ...none, update: file };
      SOURCES.set(file, binary);
      return { ...none, config: file, block: file.form === 'block' ? binary : undefined };
    },
    ({ message }) =>
      attempt(
        () => ({ ...none, identities: readIdentities(bytes) }),
        () => ({ ...none, error: message }),
      ),
  );
}
