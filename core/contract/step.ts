// A next step. Browsers load this file, so it imports nothing.

/** A step that an operator can take. */
export interface Step {
  /** One sentence. */
  readonly text: string;
  /** A command for a shell on the host of the agent. */
  readonly command?: string | undefined;
}
