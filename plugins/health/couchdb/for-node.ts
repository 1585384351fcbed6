import type { ForNode, WithOrigin } from '../../../core/contract/for-node.js';

/** The peer itself reports a check `couchdb`. */
export const nodeComponent = 'state-database';

/** The state database of a peer. Fabric's statecouchdb uses no TLS, and sends credentials only if both are set. */
export const forNode: ForNode = (node) => {
  const text = (key: string): WithOrigin<string> => {
    const { value, origin } = node.get<unknown>(`couchdb.${key}`);
    // A password of digits is a number in YAML.
    return { value: String(value), origin };
  };
  const [address, username, password] = [text('address'), text('username'), text('password')];
  if (text('stateDatabase').value !== 'CouchDB' || address.value === '') return undefined;
  const hasCredentials = username.value !== '' && password.value !== '';
  return { address, ...(hasCredentials && { username, password }) };
};
