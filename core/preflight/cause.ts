// What is found about a node before it starts.

/** Something that stops a node, or that its operator should know before it starts. */
export interface Cause {
  /** Its name in the table of the documents. */
  readonly id: string;
  /** Whether the node would not start; otherwise it starts, but not as meant. */
  readonly severity: 'cause' | 'warning';
  /** A part of the text that the program of the node prints; empty if it prints none. */
  readonly says: string;
  /** The same in plain words. */
  readonly means: string;
  /** The file and line with the key, the variable, or the path. */
  readonly where: string;
  /** What to do. */
  readonly todo: string;
}

/** A cause, as its group makes it: the severity is `cause` unless it says otherwise. */
export type Found = Omit<Cause, 'severity'> & Partial<Pick<Cause, 'severity'>>;

/** What a Go program prints for an error of the system. */
const GO_TEXTS: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'no such file or directory'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'operation not permitted'],
  ['ENOTDIR', 'not a directory'],
  ['EISDIR', 'is a directory'],
  ['EADDRINUSE', 'address already in use'],
  ['EADDRNOTAVAIL', 'cannot assign requested address'],
  ['ENOSPC', 'no space left on device'],
  ['ECONNREFUSED', 'connection refused'],
  ['EROFS', 'read-only file system'],
]);

/** The text of Go for an error of a system call; the code of one that it is not known of. */
export function goText(error: unknown): string {
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  return GO_TEXTS.get(code) ?? (code || message);
}

/** The error of a call of `node:fs`, as Go prints it: `open /file: no such file or directory`; undefined if it succeeds. */
export function fileError(path: string, call: () => unknown): string | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    // Go opens a directory, and fails when it reads it.
    const { code } = error as NodeJS.ErrnoException;
    return `${code === 'EISDIR' ? 'read' : 'open'} ${path}: ${goText(error)}`;
  }
}
