import type { ForNode, WithOrigin } from '../../../core/contract/for-node.js';

/** The peer itself reports a check `couchdb`. */
export const nodeComponent = 'state-database';

/** The state database of a peer, without TLS as in Fabric's statecouchdb, which sends credentials only when it has both. */
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
