import { defineHealthChecker, within } from '../../../core/contract/index.js';
import { OperationsAgents } from '../../common/operations-agents.js';
import { checkOperationsOptions, OPERATIONS_OPTIONS } from '../../common/operations-options.js';
import { formatAddress } from '../../common/format-address.js';
import { describeFailure } from '../../common/reason.js';
import { openConnection } from './open-connection.js';

/** Checks that a server accepts TCP connections, and with TLS that the handshake succeeds. */
export default defineHealthChecker({
  name: 'tcp',
  options: {
    ...OPERATIONS_OPTIONS,
    address: { format: 'host-port', doc: 'address of the server' },
    tls: { format: Boolean, default: false, doc: 'whether the server uses TLS' },
    timeout: { format: 'duration', default: '5s', doc: 'time limit for a connection, with the handshake' },
  },
  create({ options, log }) {
    const { address, tls, timeout } = options;
    const agents = new OperationsAgents(options, log);

    return {
      init: () => checkOperationsOptions(options),
      start: () => agents.open(),

      async check(signal) {
        const agent = agents.current();
        await within(timeout, 'the connection', signal, (abortSignal) =>
          openConnection(agent, address, tls, abortSignal),
        ).catch((error: unknown) => {
          const reason = describeFailure(error, options);
          throw new Error(`failed to connect to ${formatAddress(address)}: ${reason}`, { cause: error });
        });
      },

      stop: () => agents.close(),
    };
  },
});
