// Flags, as data, and those of every command.

/**
 * What a flag takes: nothing (boolean), any text (string), the path of a file to read (input) or to write (output), where a config comes
 * from (source: a file, a ledger or a network), a port, or a size in bytes.
 */
export type FlagKind = 'boolean' | 'string' | 'input' | 'output' | 'source' | 'port' | 'size';

/** A flag, written `--name value` or `--name=value`. */
export interface Flag {
  readonly name: string;
  readonly kind: FlagKind;
  readonly help: string;
  /** One letter: the flag may also be written `-o value`. */
  readonly short?: string;
  /** The default value. */
  readonly fallback?: string;
  readonly isRequired?: boolean;
  readonly isRepeatable?: boolean;
}

/** Flags of every command. */
export const GLOBAL_FLAGS: readonly Flag[] = [
  {
    name: 'help',
    kind: 'boolean',
    help: 'Show help for the program or the command (also try --help-long and --help-man).',
  },
];

/** Flags that the help does not list. */
export const HIDDEN_FLAGS: readonly Flag[] = [
  { name: 'help-long', kind: 'boolean', help: 'Show help for all commands.' },
  { name: 'help-man', kind: 'boolean', help: 'Write a manual page.' },
];

/** The file that a command reads. */
export const input = (help: string): Flag => ({ name: 'input', kind: 'input', fallback: '/dev/stdin', help });

/** The file that a command writes. */
export const output = (help: string): Flag => ({
  name: 'output',
  kind: 'output',
  fallback: '/dev/stdout',
  help,
});

/** The file for an envelope. */
export const envelopeOutput = (envelope: string): Flag => ({
  ...output(`The file to write the ${envelope} to; standard output must not be a terminal.`),
  short: 'o',
});

/** The name of the type of a message. */
export const messageType = (purpose: string): Flag => ({
  name: 'type',
  kind: 'string',
  isRequired: true,
  help: `The full name of the message type ${purpose}, for example 'common.Config'.`,
});
