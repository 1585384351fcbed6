// What an agent answers that runs somewhere else.

/** The value of a metric; undefined without it. */
export async function metricValue(url: string, series: string): Promise<number | undefined> {
  const line = await metricLine(url, series);
  return line === undefined ? undefined : Number(line.slice(series.length + 1));
}

/** The line of a metric; undefined without it. */
export async function metricLine(url: string, series: string): Promise<string | undefined> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return text.split('\n').find((line) => line.startsWith(`${series} `));
}

/** What /healthz says: its status, and the reasons by component. */
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
