import { parser } from '@prometheus-io/lezer-promql';

/** What a query reads: a metric, and the labels that it compares, groups or joins by. */
export interface QueriedMetric {
  metric: string;
  labels: string[];
}

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

/** What stands in a dashboard where PromQL wants a duration; its other variables stand within strings. */
const withDurations = (query: string): string =>
  query.replaceAll('$__rate_interval', '1m').replaceAll('$__range', '1h').replaceAll('$__interval', '1m');

/**
 * The metrics that a PromQL query reads, by Prometheus's own grammar. Labels of `by` and `on` are expected of each metric
 * below them. Throws with the place when the grammar does not take the query.
 */
export function queriedMetrics(given: string): QueriedMetric[] {
  const query = withDurations(given);
  const textOf = ({ from, to }: SyntaxNode): string => query.slice(from, to);
  const read = (node: SyntaxNode, inherited: string[]): QueriedMetric[] => {
    if (node.type.isError) throw new Error(`not PromQL at ${node.from}: ${query}`);
    if (node.name === 'VectorSelector') return [selected(node, inherited, textOf)];
    const labels = [...inherited, ...groupingOf(node).map(textOf)];
    return childrenOf(node).flatMap((child) => read(child, labels));
  };
  return read(parser.parse(query).topNode, []);
}

function selected(node: SyntaxNode, inherited: string[], textOf: (node: SyntaxNode) => string): QueriedMetric {
  const name = node.getChild('Identifier');
  const matchers = node.getChild('LabelMatchers');
  const broken = descendantsOf(node).find(({ type }) => type.isError);
  if (broken || !name) throw new Error(`not PromQL, or without a metric, at ${node.from}: ${textOf(node)}`);
  const compared = matchers ? descendantsOf(matchers).filter((child) => child.name === 'LabelName') : [];
  return { metric: textOf(name), labels: [...inherited, ...compared.map(textOf)] };
}

/** Of `by (…)` and `on (…)`; what `without` and `ignoring` name may be missing. */
function groupingOf(node: SyntaxNode): SyntaxNode[] {
  const clauses = [...node.getChildren('AggregateModifier'), ...node.getChildren('MatchingModifierClause')];
  return clauses
    .filter((clause) => clause.getChild('By') ?? clause.getChild('On'))
    .flatMap((clause) => clause.getChild('GroupingLabels')?.getChildren('LabelName') ?? []);
}

function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

const descendantsOf = (node: SyntaxNode): SyntaxNode[] =>
  childrenOf(node).flatMap((child) => [child, ...descendantsOf(child)]);
