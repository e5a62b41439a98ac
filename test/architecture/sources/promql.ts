import type { SyntaxNode } from '@lezer/common';
import { parser } from '@prometheus-io/lezer-promql';

/** Labels by name of the metric. */
export type KnownMetrics = ReadonlyMap<string, ReadonlySet<string>>;

const LABELS = ['LabelName', 'QuotedLabelName'];

/**
 * Returns what is wrong in a PromQL expression: text that the grammar of Prometheus refuses, metrics that do not exist,
 * and labels that the metrics do not have. The grammar does not check types; promtool does.
 */
export function faultsOf(expression: string, known: KnownMetrics): string[] {
  const { topNode } = parser.parse(expression);
  const textOf = ({ from, to }: SyntaxNode): string => expression.slice(from, to);
  const errors = nodesBelow(topNode).filter(({ type }) => type.isError);
  if (errors.length > 0) return errors.map(({ from }) => `syntax error at "${expression.slice(from, from + 20)}"`);
  const metrics = metricsIn(expression);
  if (metrics.includes('')) return ['a selector names no metric'];
  const unknown = metrics.filter((name) => !known.has(name));
  if (unknown.length > 0) return unknown.map((name) => `unknown metric ${name}`);
  return nodesBelow(topNode)
    .filter(({ name }) => LABELS.includes(name))
    .filter((label) => !metricsOf(scopeOf(label), textOf).some((name) => known.get(name)?.has(textOf(label))))
    .map((label) => `unknown label ${textOf(label)}`);
}

/** Names of the metrics in an expression. A selector without a name, such as `{a="b"}`, is an empty name. */
export function metricsIn(expression: string): string[] {
  return metricsOf(parser.parse(expression).topNode, ({ from, to }) => expression.slice(from, to));
}

/** The labels of the result: those of an aggregation, else those of all metrics. */
export function labelsOfResult(expression: string, known: KnownMetrics): Set<string> {
  const { topNode } = parser.parse(expression);
  const modifiers = nodesBelow(topNode).filter(({ name }) => name === 'AggregateModifier');
  const grouped = modifiers.flatMap((modifier) =>
    nodesBelow(modifier)
      .filter(({ name }) => LABELS.includes(name))
      .map(({ from, to }) => expression.slice(from, to)),
  );
  const all = metricsIn(expression).flatMap((name) => [...(known.get(name) ?? [])]);
  return new Set(modifiers.length > 0 ? grouped : all);
}

/** The part of an expression whose metrics must have a label. */
function scopeOf(label: SyntaxNode): SyntaxNode {
  let node = label;
  while (!['VectorSelector', 'AggregateExpr', 'BinaryExpr'].includes(node.name) && node.parent) node = node.parent;
  return node;
}

function metricsOf(scope: SyntaxNode, textOf: (node: SyntaxNode) => string): string[] {
  return nodesBelow(scope)
    .filter(({ name }) => name === 'VectorSelector')
    .map((selector) => {
      const name = selector.getChild('Identifier');
      return name ? textOf(name) : '';
    });
}

/** All nodes below a node, including the node, in the order of the text. */
function nodesBelow(root: SyntaxNode): SyntaxNode[] {
  const found = [root];
  for (let child = root.firstChild; child; child = child.nextSibling) found.push(...nodesBelow(child));
  return found;
}
