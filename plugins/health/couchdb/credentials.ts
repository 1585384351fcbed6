// The user name and the password.

/** The options; empty strings mean that there are none. */
interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** @throws Error naming the option; the message does not contain its value */
export function checkCredentials({ username, password }: Credentials): void {
  if ((username === '') !== (password === ''))
    throw new Error('options.username and options.password must be set together');
  if (username.includes(':')) throw new Error('options.username: must not contain a colon');
}

/** The header of Basic authentication (RFC 7617); empty without credentials. */
export function authorization({ username, password }: Credentials): Readonly<Record<string, string>> {
  if (username === '') return {};
  return { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}
