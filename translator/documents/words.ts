// Parts of the texts of findings.

/** The text of a finding, and its correction. */
export interface FindingWords {
  /** One plain sentence without a period. */
  readonly text: string;
  /** The correction, without a period. */
  readonly todo: string;
  /** The text in a headline, if `text` is too long to be read in a few seconds. */
  readonly short?: string;
}

/** The words of a finding. */
export const words = (text: string, todo: string, short?: string): FindingWords => ({
  text,
  todo,
  ...(short !== undefined && { short }),
});

/** A text from outside, in double quotes and escaped as in JSON. */
export const quoted = (text: string): string => JSON.stringify(text);

/** The day of a time in ISO 8601. */
export const day = (time: string): string => time.slice(0, 10);
