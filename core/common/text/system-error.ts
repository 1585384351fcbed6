// Errors of system calls in plain words.

import { getSystemErrorMap } from 'node:util';

/** By code: the texts of the system, except where ours are clearer. */
const TEXTS: ReadonlyMap<string, string> = new Map([
  ...getSystemErrorMap().values(),
  ['EADDRNOTAVAIL', 'this machine does not have the address'],
  ['EAI_AGAIN', 'the host name lookup failed temporarily'],
  ['EHOSTUNREACH', 'no route to host'],
  ['EIO', 'input/output error'],
  ['EISDIR', 'it is a directory'],
  ['ELOOP', 'a loop of symbolic links'],
  ['EMFILE', 'this process has too many open files'],
  ['ENFILE', 'this system has too many open files'],
  ['ENOENT', 'no such file'],
  ['ENOTFOUND', 'no such host'],
]);

/** The reason of a failed system call, such as `no such file`; the message of other errors. */
export function describeSystemError(error: unknown): string {
  const { code = '', message = String(error) } = error as { code?: string; message?: string };
  return TEXTS.get(code) ?? message;
}
