// Words of commands that users copy into a shell.

/** A word of a POSIX shell: quoted if the shell would read it in another way. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** The path of a file as a word of a POSIX shell; a command does not read it as an option. */
export const shellPath = (path: string): string => shellWord(path.startsWith('-') ? `./${path}` : path);
