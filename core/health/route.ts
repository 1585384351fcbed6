import { JSON_TYPE, jsonReply, type Route } from '../http/index.js';
import type { Health } from './health.js';

/** `/healthz`: 200 when every check succeeds, else 503 with the failed checks. It needs no client certificate. */
export function healthzRoute(health: Health): Route {
  // Formatting a time costs as much as a check, and under load many responses have the same millisecond.
  let last = { time: 0, text: '' };
  const format = (time: number): string => {
    if (time !== last.time) last = { time, text: new Date(time).toISOString() };
    return last.text;
  };
  return {
    path: '/healthz',
    isOpen: true,
    handlers: {
      GET: async () => {
        const { failedChecks, time } = await health.run();
        const text = format(time);
        if (failedChecks.length === 0)
          return { status: 200, headers: JSON_TYPE, body: `{"status":"OK","time":"${text}"}` };
        return jsonReply(503, { status: 'Service Unavailable', time: text, failed_checks: failedChecks });
      },
    },
  };
}
