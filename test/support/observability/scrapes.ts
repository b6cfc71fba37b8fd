export interface Target {
  /** The same names as in prometheus.yml, because alerts use them. */
  job: 'payment-api' | 'payment-worker';
  instance: string;
  /** The URL of `/metrics`, without the path. */
  url: string;
}

/** The result of one scrape of all targets. */
export interface Moment {
  /** ms since 1970. */
  at: number;
  /** By series, such as `queue_up{job="payment-api",instance="api"}`. */
  values: ReadonlyMap<string, number>;
}

/** A target that takes this long is stuck; on a busy machine it takes some seconds. */
const TIMEOUT_MS = 30_000;

/** Scrapes like Prometheus: adds the target's labels to its series, and `up`, which says whether it answered. */
export async function scrape(targets: readonly Target[]): Promise<Moment> {
  const at = Date.now();
  const seen = await Promise.all(targets.map(seriesOf));
  return { at, values: new Map(seen.flat()) };
}

async function seriesOf({ job, instance, url }: Target): Promise<[string, number][]> {
  const target = `job="${job}",instance="${instance}"`;
  try {
    const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (!answer.ok) throw new Error(`/metrics answers ${answer.status}`);
    const samples = (await answer.text()).split('\n').flatMap((line) => sampleOf(line, target));
    return [[`up{${target}}`, 1], ...samples];
  } catch {
    return [[`up{${target}}`, 0]];
  }
}

/** The sample of a line of the text format; none for a comment. */
function sampleOf(line: string, target: string): [string, number][] {
  const [, name, labels = '', value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === undefined) return [];
  return [[`${name}{${[target, labels].filter((part) => part !== '').join(',')}}`, Number(value)]];
}

export const nameOf = (series: string): string => series.slice(0, series.indexOf('{'));

/** The largest value of a metric among the series that contain `part`; `undefined`: there is none. */
export function seen(moment: Moment, metric: string, part = ''): number | undefined {
  const found = [...moment.values].filter(([series]) => nameOf(series) === metric && series.includes(part));
  return found.length === 0 ? undefined : Math.max(...found.map(([, value]) => value));
}
