import { parser } from '@prometheus-io/lezer-promql';

/** A metric in a query, and the labels that the query compares, groups or joins by. */
export interface QueriedMetric {
  metric: string;
  labels: string[];
}

type SyntaxNode = ReturnType<typeof parser.parse>['topNode'];

/** Replaces a dashboard's variables for durations; its other variables are only in strings. */
const withDurations = (query: string): string =>
  query.replaceAll('$__rate_interval', '1m').replaceAll('$__range', '1h').replaceAll('$__interval', '1m');

/**
 * The metrics that a PromQL query reads, parsed with Prometheus's own grammar. Labels of `by` and `on` are expected for
 * each metric below them. Throws with the position if the query is not valid.
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

/** The labels of `by (…)` and `on (…)`; labels of `without` and `ignoring` may be missing. */
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
