import { CheckWarning, defineHealthChecker, within } from '../../../core/contract/index.js';
import {
  describeFailure,
  formatHostPort,
  readTls,
  ReloadingTls,
  tlsFilesOf,
} from '../../../core/kit/index.js';
import {
  checkOperationsOptions,
  formerFilesText,
  OPERATIONS_OPTIONS,
} from '../../../core/kit/internal/index.js';
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
    const { address, timeout } = options;
    const tls = new ReloadingTls(tlsFilesOf(options), () => readTls(options), log);

    return {
      init: () => checkOperationsOptions(options),
      start: () => void tls.open(),

      async check(signal) {
        await within(timeout, 'the connection', signal, async (bounded) =>
          tls.use(async (current) => openConnection({ address, tls: current }, bounded)),
        ).catch((error: unknown) => {
          const reason = describeFailure(error, options);
          throw new Error(`failed to connect to ${formatHostPort(address)}: ${reason}`, { cause: error });
        });
        if (tls.usesFormer) throw new CheckWarning(formerFilesText('the server'));
      },

      stop: () => tls.close(),
    };
  },
});
