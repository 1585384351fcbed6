import type { Sourced } from '../../../core/common/text/sourced.js';
import type { ImpliedPlugin } from '../../../core/contract/implied.js';

/**
 * The state database of a peer, without TLS as in Fabric's statecouchdb, which sends credentials only when it has both. The peer
 * itself reports a check `couchdb`, so the component has another name.
 */
export const couchdb: ImpliedPlugin = {
  component: 'state-database',
  beside(node) {
    const text = (key: string): Sourced<string> => {
      const { value, origin } = node.get<unknown>(`couchdb.${key}`);
      // A password of digits is a number in YAML.
      return { value: String(value), origin };
    };
    const [address, username, password] = [text('address'), text('username'), text('password')];
    if (text('stateDatabase').value !== 'CouchDB' || address.value === '') return undefined;
    const hasCredentials = username.value !== '' && password.value !== '';
    return { address, ...(hasCredentials && { username, password }) };
  },
};
