// The option `url`.

const ALLOWED = 'must be a URL that begins with http:// or https://, without user name and fragment';

/** The format of the option. */
export function checkUrl(value: unknown): void {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined;
  if (
    url === undefined ||
    !['http:', 'https:'].includes(url.protocol) ||
    `${url.username}${url.password}${url.hash}` !== '' ||
    url.port === '0'
  )
    throw new Error(ALLOWED);
}
