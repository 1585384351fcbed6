// Reads the endpoints of a running agent.

/** The value of a series of /metrics; undefined if there is no such series. */
export async function metricValue(url: string, series: string): Promise<number | undefined> {
  const line = await metricLine(url, series);
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

/** The line of a series of /metrics; undefined if there is no such series. */
export async function metricLine(url: string, series: string): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text.split('\n').find((line) => line.startsWith(`${series} `));
}

/** The status of /healthz and the reasons of failed checks by component. */
export async function healthOf(
  url: string,
): Promise<{ status: number; failed: Readonly<Record<string, string>> }> {
  const response = await fetch(`${url}/healthz`);
  const { failed_checks: failed = [] } = (await response.json()) as {
    failed_checks?: { component: string; reason: string }[];
  };
  return {
    status: response.status,
    failed: Object.fromEntries(failed.map(({ component, reason }) => [component, reason])),
  };
}
