// The flags of a command, as data.

/**
 * What a flag takes: nothing (boolean), any text (string), the path of a file to read (input) or to write (output), a port, or a size
 * in bytes.
 */
export type FlagKind = 'boolean' | 'string' | 'input' | 'output' | 'port' | 'size';

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
