import {
  type AgentEvent,
  defineNotifier,
  type DeliveryReport,
  errorCodeOf,
  type Notification,
} from '../../../core/contract/index.js';
import { checkClientCertificate, readSecret } from '../../../core/kit/index.js';
import { isServerUrl, URL_RULE } from '../../../core/kit/internal/index.js';
import {
  agentName,
  eventDocument,
  NOTIFIER_OPTIONS,
  RECEIVER_OPTIONS,
  ReceiverClient,
  runbookUrl,
  scheduleOf,
} from '../../../core/kit/notifier.js';
import { DOCUMENTS, pagerDutyDocument, PRESETS, type Content } from './presets.js';
import { readTemplate, type Template } from './template.js';
import { notificationText } from './words.js';

/** The URL for events of PagerDuty. */
const PAGERDUTY = 'https://events.pagerduty.com/v2/enqueue';

/** Posts notifications to a URL. */
export default defineNotifier({
  name: 'webhook',
  options: {
    url: {
      format: checkUrl,
      default: '',
      doc: 'URL to post to, if it is not a secret',
      sensitive: 'path',
    },
    urlFile: { format: 'path', default: '', doc: 'file with the URL, read for each request' },
    preset: {
      format: PRESETS,
      default: 'json',
      doc: 'form of the document: the name of a service, or `json`',
    },
    template: {
      format: 'path',
      default: '',
      doc: 'JSON file with placeholders, used instead of the document of the preset',
    },
    routingKeyFile: {
      format: 'path',
      default: '',
      doc: 'file with the routing key of PagerDuty, read for each request',
    },
    ...RECEIVER_OPTIONS,
    ...NOTIFIER_OPTIONS,
  },
  create({ options, log }) {
    const { preset, url, urlFile, routingKeyFile, template: templateFile } = options;
    const client = new ReceiverClient(options, log);
    let template: Template | undefined;
    const linkOf = (event: AgentEvent): string | undefined => runbookUrl(options, event);

    const documentOf = (notification: Notification, form: keyof typeof DOCUMENTS): unknown => {
      const agent = agentName(options, notification);
      const content: Content = {
        notification,
        words: notificationText(notification, agent, linkOf),
        agent,
        events: notification.events.map((event) => eventDocument(options, event, notification)),
      };
      return template === undefined ? DOCUMENTS[form](content) : template(content);
    };

    const target = async (): Promise<string> => {
      if (urlFile === '') return url === '' ? PAGERDUTY : url;
      const found = await readSecret(urlFile, 'options.urlFile');
      if (!isServerUrl(found)) throw new Error(`options.urlFile: ${urlFile}: ${URL_RULE}`);
      return found;
    };

    /** Posts one document for each event. */
    const notifyPagerDuty = async (
      notification: Notification,
      signal: AbortSignal,
      report: DeliveryReport,
    ): Promise<void> => {
      const key = await readSecret(routingKeyFile, 'options.routingKeyFile');
      for (const event of notification.events) {
        const document = pagerDutyDocument(event, agentName(options, notification), key, linkOf(event));
        if (document === undefined) {
          report.omitted(event);
          continue;
        }
        try {
          await client.post(await target(), document, signal, [key]);
          report.accepted(event);
        } catch (error) {
          if (errorCodeOf(error) !== 'NOTIFICATION_REFUSED') throw error;
          report.refused(event, error);
        }
      }
    };

    return {
      schedule: scheduleOf(options),

      init() {
        checkClientCertificate(options);
        if (url !== '' && urlFile !== '')
          throw new Error('options.url and options.urlFile must not be set together');
        if (preset === 'pagerduty') checkPagerDuty(options);
        else if (url === '' && urlFile === '') throw new Error('options.url or options.urlFile must be set');
        else if (routingKeyFile !== '')
          throw new Error('options.routingKeyFile: only the preset pagerduty uses it');
      },

      async start() {
        if (templateFile !== '') template = await readTemplate(templateFile);
        await target();
      },

      async notify(notification, signal, report) {
        if (preset === 'pagerduty') return notifyPagerDuty(notification, signal, report);
        await client.post(await target(), documentOf(notification, preset), signal);
      },

      stop: () => client.close(),
    };
  },
});

function checkUrl(value: unknown): void {
  if (value !== '' && !isServerUrl(value)) throw new Error(URL_RULE);
}

function checkPagerDuty(options: {
  readonly routingKeyFile: string;
  readonly heartbeat: number;
  readonly template: string;
}): void {
  if (options.routingKeyFile === '') throw new Error('options.routingKeyFile: must be set for PagerDuty');
  if (options.heartbeat > 0) throw new Error('options.heartbeat: PagerDuty accepts no heartbeats');
  if (options.template !== '') throw new Error('options.template: PagerDuty accepts no other documents');
}
