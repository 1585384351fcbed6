import { AgentError, defineNotifier, SourceError, within } from '../../../core/contract/index.js';
import { COMMAND_OPTIONS, describeEnd, runCommand } from '../../../core/kit/index.js';
import { agentName, eventDocument, NOTIFIER_OPTIONS, scheduleOf } from '../../../core/kit/notifier.js';

/** Runs a command for each notification, with the events as JSON on its standard input. */
export default defineNotifier({
  name: 'exec',
  options: {
    ...COMMAND_OPTIONS,
    timeout: { format: 'duration', default: '10s', doc: 'time limit for a run' },
    ...NOTIFIER_OPTIONS,
  },
  create: ({ options }) => ({
    schedule: scheduleOf(options),

    async notify(notification, signal) {
      const { cause, events } = notification;
      const document = {
        agent: agentName(options, notification),
        cause,
        events: events.map((event) => eventDocument(options, event, notification)),
      };
      const input = `${JSON.stringify(document)}\n`;
      const result = await within(options.timeout, 'the command', signal, (bounded) =>
        runCommand(options, { signal: bounded, input }).catch(notStarted),
      );
      const end = (): string => describeEnd(result, result.stderr, result.stdout);
      if (result.status === null) throw new Error(end());
      if (result.status !== 0) throw new AgentError('NOTIFICATION_NOT_ACCEPTED', end());
    },
  }),
});

/** @throws AgentError `NOTIFICATION_NOT_ACCEPTED` if the command could not be started, else the error */
function notStarted(error: unknown): never {
  if (error instanceof SourceError && error.failure === 'unreachable')
    throw new AgentError('NOTIFICATION_NOT_ACCEPTED', error.message, { cause: error });
  throw error;
}
