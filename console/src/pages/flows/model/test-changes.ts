import { type Operator, operatorsOf, takesList } from './condition-tests';
import type { TestNode } from './form';

/** Changes the field of a test; keeps the operator if the new field supports it. */
export function withField(node: TestNode, field: string): TestNode {
  const operators = operatorsOf(field);
  const operator = operators.includes(node.operator) ? node.operator : operators[0]!;
  return { ...node, field, operator, value: emptyOf(operator) };
}

/** Changes the operator of a test; converts between a value and a list. */
export function withOperator(node: TestNode, operator: Operator): TestNode {
  if (operator === 'exists' || node.operator === 'exists') return { ...node, operator, value: emptyOf(operator) };
  const values = (Array.isArray(node.value) ? node.value : [node.value]) as unknown[];
  const given = values.filter((value) => value !== '');
  return { ...node, operator, value: takesList(operator) ? given : (given[0] ?? '') };
}

function emptyOf(operator: Operator): unknown {
  if (operator === 'exists') return true;
  return takesList(operator) ? [] : '';
}
