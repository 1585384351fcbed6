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
  withHttp2Session,
} from '../../../core/kit/internal/index.js';
import { callCheck, METHOD } from './call.js';
import { checkService } from './message.js';
import { problemIn } from './problem.js';

/** Checks that a gRPC server is reachable, and its health if it implements `grpc.health.v1`. */
export default defineHealthChecker({
  name: 'grpc',
  options: {
    ...OPERATIONS_OPTIONS,
    address: { format: 'host-port', doc: 'address of the gRPC server' },
    service: {
      format: checkService,
      default: '',
      doc: 'service to check; empty: the whole server',
    },
    timeout: { format: 'duration', default: '5s', doc: 'time limit for a check' },
  },
  create({ options, log }) {
    const { address, service, timeout } = options;
    const tls = new ReloadingTls(tlsFilesOf(options), () => readTls(options), log);
    const failed = `${METHOD} at ${formatHostPort(address)}`;
    return {
      init: () => checkOperationsOptions(options),

      start: () => void tls.open(),

      async check(signal) {
        const response = await within(timeout, 'the check', signal, async (bounded) =>
          tls.use(async (current) =>
            withHttp2Session({ address, tls: current }, bounded, (session) =>
              callCheck(session, service, timeout),
            ),
          ),
        ).catch((error: unknown) => {
          throw new Error(`${failed}: ${describeFailure(error, options)}`, { cause: error });
        });
        const problem = problemIn(response, service);
        if (problem !== undefined) throw new Error(`${failed}: ${problem}`);
        if (tls.usesFormer) throw new CheckWarning(formerFilesText('the server'));
      },

      stop: () => tls.close(),
    };
  },
});
