// How texts are emphasised; the caller decides whether the output is a terminal.

/** The formats that are used, as `util.styleText` names them. */
export type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow';

/** Emphasises a text, or returns it as it is. */
export type Style = (format: Format, text: string) => string;

/** No emphasis. */
export const PLAIN: Style = (_, text) => text;
