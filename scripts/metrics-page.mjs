// The page docs/operate/metrics.md, from what the registries of the API and the worker hold.
const INTRO = `# Metrics

Made of the registries of both processes by \`npm run docs:metrics\`: do not change it by hand.

\`GET /metrics\` of the API (\`PORT\`, or \`MANAGEMENT_PORT\`) and of each worker (\`WORKER_PORT\`), in Prometheus's text format. Counters
are of the process: sum them over all. Every series of a counter is there from the start, at 0, but of labels whose values a
process learns as it runs. Every label has a closed list of values; ids are never among them.

Gauges that are _read from rows_ are the same in every process, whichever asks: take \`max\` over all, not \`sum\`. They are read when
\`/metrics\` is asked for, every three seconds at most, and have no value when the database does not answer. So they tell the
truth also when no worker is alive.
`;

/** Whose values are read from the database when they are asked for: `DatabaseGauges`. */
const FROM_ROWS = 'read from rows';

const unitOf = ({ name, type }) => {
  const plain = name.replace(/_total$/, '');
  if (plain.endsWith('_timestamp_seconds') || plain.endsWith('_start_time_seconds')) return 'seconds since 1970';
  const unit = /_(seconds|bytes)$/.exec(plain)?.[1];
  return unit ?? (type === 'gauge' && /_(info|up)$/.test(plain) ? '0 or 1' : 'count');
};

const code = (text) => `\`${text}\``;

/** Long lists are told in words: a reader looks for what a label is about. */
const valuesOf = ({ words, values }) => (words === undefined ? values.map(code).join(', ') : words);

const kindOf = ({ type, isFromDatabase }) => (isFromDatabase ? `${type}, ${FROM_ROWS}` : type);

function section(metric) {
  const labels = metric.labels.map((label) => `- ${code(label.name)}: ${valuesOf(label)}`);
  const facts = `${kindOf(metric)} · ${unitOf(metric)} · ${metric.processes.join(', ')}`;
  return [`### ${metric.name}`, '', `${metric.help}`, '', `_${facts}_`, ...(labels.length > 0 ? ['', ...labels] : [])];
}

/** `described`: by process, as `Metrics.describe` answers. */
function merged(described) {
  const metrics = new Map();
  for (const [role, descriptions] of Object.entries(described)) {
    for (const description of descriptions) {
      const known = metrics.get(description.name);
      if (known) known.processes.push(role);
      else metrics.set(description.name, { ...description, processes: [role] });
    }
  }
  return [...metrics.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** prom-client's own, about the process and Node. */
const isOfNode = ({ name }) =>
  name.startsWith('nodejs_') || (name.startsWith('process_') && name !== 'process_up_info');

/** The text of docs/operate/metrics.md. */
export function metricsPage(described) {
  const metrics = merged(described);
  const ours = metrics.filter((metric) => !isOfNode(metric));
  const ofNode = metrics.filter(isOfNode);
  const lines = [
    INTRO,
    '## The service',
    '',
    ...ours.flatMap((metric) => [...section(metric), '']),
    '## Node and the process',
    '',
    'As [prom-client](https://github.com/siimon/prom-client#default-metrics) has them; some are there on Linux alone.',
    '',
    ...ofNode.map((metric) => `- ${code(metric.name)} (${metric.type}, ${unitOf(metric)}): ${metric.help}`),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}
