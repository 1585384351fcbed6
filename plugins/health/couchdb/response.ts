// Reads responses of CouchDB.

import { describeResponse, type HttpResponse } from '../../../core/kit/index.js';

/** The failure in a response; undefined if it has the status 200. */
export function reasonIn(
  response: Pick<HttpResponse, 'status' | 'body' | 'sent'>,
  hasCredentials: boolean,
): string | undefined {
  const { status } = response;
  if (status === 200) return undefined;
  if (status === 401)
    return hasCredentials ? 'wrong username or password' : 'it requires a username and a password';
  // `/_up` has the mode of CouchDB in `status`; all other errors have a reason.
  return describeResponse(response, status === 404 ? 'status' : 'reason');
}
