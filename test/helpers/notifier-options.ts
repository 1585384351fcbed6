// The options of the built-in notifiers in tests: no grouping, no reminders, no heartbeats.

import type { OptionValues } from '../../core/contract/index.js';
import type alertmanager from '../../plugins/notifier/alertmanager/index.js';
import type exec from '../../plugins/notifier/exec/index.js';
import type webhook from '../../plugins/notifier/webhook/index.js';
import { PATIENCE } from './patience.js';

type WebhookOptions = OptionValues<typeof webhook.options>;
type ExecOptions = OptionValues<typeof exec.options>;
type AlertmanagerOptions = OptionValues<typeof alertmanager.options>;

const COMMON = {
  timeout: PATIENCE,
  events: 'all',
  groupFor: 0,
  repeat: 0,
  heartbeat: 0,
  agent: 'host1',
  runbook: '',
} as const;

const RECEIVER = { ...COMMON, authorizationFile: '', ca: '', cert: '', key: '' } as const;

/** The options of the plugin exec. */
export const execOptions = (options: Partial<ExecOptions>): ExecOptions => ({
  ...COMMON,
  command: ['true'],
  directory: '',
  environment: {},
  ...options,
});

/** The options of the plugin webhook. */
export const webhookOptions = (options: Partial<WebhookOptions>): WebhookOptions => ({
  ...RECEIVER,
  url: '',
  urlFile: '',
  preset: 'json',
  template: '',
  routingKeyFile: '',
  ...options,
});

/** The options of the plugin alertmanager. */
export const alertmanagerOptions = (options: Partial<AlertmanagerOptions>): AlertmanagerOptions => ({
  ...RECEIVER,
  repeat: 60_000,
  urls: [],
  labels: {},
  ...options,
});
