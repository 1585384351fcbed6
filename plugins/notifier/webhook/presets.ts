// The documents of the supported services. Text in events is never interpreted as markup, a mention or a link.

import type { AgentEvent, Notification } from '../../../core/contract/index.js';
import { detailsOf } from '../../../core/kit/notifier.js';
import { worstSeverity, type Words } from './words.js';

/** The contents of a document. */
export interface Content {
  readonly notification: Notification;
  readonly words: Words;
  readonly agent: string;
  /** The events as JSON for programs. */
  readonly events: readonly object[];
}

/** The names of the services, and the default `json`: a document for programs. */
export const PRESETS = ['json', 'slack', 'teams', 'discord', 'pagerduty'] as const;

/** Documents by preset; for PagerDuty, {@link pagerDutyDocument}. */
export const DOCUMENTS: Readonly<
  Record<Exclude<(typeof PRESETS)[number], 'pagerduty'>, (content: Content) => object>
> = { json: jsonDocument, slack: slackDocument, teams: teamsDocument, discord: discordDocument };

function jsonDocument({ notification, words, agent, events }: Content): object {
  return { agent, cause: notification.cause, title: words.title, text: words.lines.join('\n'), events };
}

/** Slack's limit is 40,000 characters; the escapes of its messages can make them longer. */
const MAX_SLACK = 35_000;

/** @see https://api.slack.com/messaging/webhooks */
function slackDocument({ words: { title, lines } }: Content): object {
  const escaped = [title, ...lines]
    .join('\n')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;');
  return { text: cut(escaped, MAX_SLACK), mrkdwn: false };
}

/** An adaptive card for a Teams workflow. Text runs, unlike text blocks, have no Markdown. */
function teamsDocument({ words: { title, lines, page } }: Content): object {
  const textBlock = (text: string, run: object = {}): object => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...run }],
  });
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    body: [textBlock(title, { weight: 'Bolder' }), ...lines.map((line) => textBlock(line))],
    ...(page !== undefined && {
      actions: [{ type: 'Action.OpenUrl', title: 'Open the page', url: page }],
    }),
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content }],
  };
}

const COLOURS = { critical: 0xd32f2f, warning: 0xf9a825, info: 0x388e3c } as const;
/** Limits of Discord, in characters. */
const DISCORD = { title: 256, description: 4096 } as const;

/** @see https://discord.com/developers/docs/resources/webhook#execute-webhook */
function discordDocument({ notification, words: { title, lines, page } }: Content): object {
  const escaped = (text: string): string => text.replaceAll(/[\\`*_{}[\]()<>#+\-.!|~@:]/g, String.raw`\$&`);
  return {
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: cut(escaped(title), DISCORD.title),
        ...(page !== undefined && { url: page }),
        description: cut(lines.map(escaped).join('\n'), DISCORD.description),
        color: COLOURS[worstSeverity(notification.events)],
      },
    ],
  };
}

/** Longest summary of PagerDuty, in characters. */
const MAX_SUMMARY = 1024;

/**
 * The document of one event; undefined for an event that neither fails nor recovers, because PagerDuty has no such events.
 *
 * @see https://developer.pagerduty.com/docs/events-api-v2/trigger-events/
 */
export function pagerDutyDocument(
  event: AgentEvent,
  agent: string,
  routingKey: string,
  link: string | undefined,
): object | undefined {
  const { id, state, severity, component, headline, page, reason, since, node, fields } = event;
  if (state === 'info') return undefined;
  const links = [
    ...(page === undefined ? [] : [{ href: page, text: 'Page of the agent' }]),
    ...(link === undefined ? [] : [{ href: link, text: 'Runbook' }]),
  ];
  return {
    routing_key: routingKey,
    event_action: state === 'recovered' ? 'resolve' : 'trigger',
    dedup_key: cut(`${agent}/${id}`, 255),
    payload: {
      summary: cut(headline ?? `${component}: ${reason}`, MAX_SUMMARY),
      source: agent,
      severity,
      timestamp: new Date(since).toISOString(),
      component,
      group: node,
      custom_details: { reason, details: detailsOf(event).join('\n'), ...fields },
    },
    client: 'fabric-ops-agent',
    ...(page !== undefined && { client_url: page }),
    ...(links.length > 0 && { links }),
  };
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;
