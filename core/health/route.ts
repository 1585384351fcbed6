import { JSON_TYPE, jsonReply, type Route } from '../http/index.js';
import type { Health } from './health.js';

/** `/healthz`: 200 when every check succeeds, 503 naming those that do not. Answered without a client certificate. */
export function healthzRoute(health: Health): Route {
  // Under load many answers are of one millisecond, and to write a time costs as much as a check.
  let last = { time: 0, when: '' };
  const write = (time: number): string => {
    if (time !== last.time) last = { time, when: new Date(time).toISOString() };
    return last.when;
  };
  return {
    path: '/healthz',
    isOpen: true,
    handlers: {
      GET: async () => {
        const { failedChecks, time } = await health.run();
        const when = write(time);
        if (failedChecks.length === 0)
          return { status: 200, headers: JSON_TYPE, body: `{"status":"OK","time":"${when}"}` };
        return jsonReply(503, { status: 'Service Unavailable', time: when, failed_checks: failedChecks });
      },
    },
  };
}
