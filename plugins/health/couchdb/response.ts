// What a response of CouchDB means.

import { describeResponse, type HttpResponse } from '../../../core/kit/index.js';

/** What is wrong with a response; undefined when it has the status 200. */
export function reasonIn(
  response: Pick<HttpResponse, 'status' | 'body' | 'sent'>,
  hasCredentials: boolean,
): string | undefined {
  const { status } = response;
  if (status === 200) return undefined;
  if (status === 401)
    return hasCredentials ? 'wrong username or password' : 'it requires a username and a password';
  // `/_up` says in which mode it is; all other errors have a reason.
  return describeResponse(response, status === 404 ? 'status' : 'reason');
}
