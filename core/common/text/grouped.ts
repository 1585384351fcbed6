// Fingerprints and other hashes for comparison by eye.

/** The text in groups of four characters. */
export const grouped = (text: string): string => text.match(/.{1,4}/g)?.join(' ') ?? '';
