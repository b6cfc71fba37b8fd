import { Button } from '../../../ui/button';
import { group, newTest } from '../model/condition-form';
import { conditionErrors } from '../model/field-errors';
import type { ConditionNode, GroupNode } from '../model/form';
import { replaced, without } from '../model/order';
import { useFieldErrors } from './errors-context';
import { TestRow } from './test-row';

interface Props {
  /** The name of the rule or assertion; the labels of the inputs begin with it. */
  name: string;
  path: string;
  condition: GroupNode;
  onChange: (condition: GroupNode) => void;
}

/** Edits a condition as a tree of tests and groups, of any depth that the API permits. */
export function ConditionFields({ name, path, condition, onChange }: Props) {
  const errors = conditionErrors(useFieldErrors(), condition, path);
  return <GroupFields name={name} node={condition} errors={errors} onChange={onChange} />;
}

interface NodeProps<Node> {
  name: string;
  node: Node;
  /** Messages by the key of the node. */
  errors: ReadonlyMap<string, string>;
  onChange: (node: Node) => void;
  onRemove?: () => void;
}

const KINDS: { value: GroupNode['kind']; label: string }[] = [
  { value: 'all', label: 'all of these hold' },
  { value: 'any', label: 'at least one of these holds' },
  { value: 'not', label: 'not all of these hold' },
];

function GroupFields({ name, node, errors, onChange, onRemove }: NodeProps<GroupNode>) {
  const change = (items: ConditionNode[]): void => onChange({ ...node, items });
  const error = errors.get(node.key);
  return (
    <div className="condition-group" role="group" aria-label={`${name}: ${labelOf(node)}`}>
      <div className="condition-group-head">
        {onRemove ? (
          <select
            aria-label={`${name}: how the group holds`}
            value={node.kind === 'every' ? 'all' : node.kind}
            onChange={({ target }) => onChange({ ...node, kind: target.value as GroupNode['kind'] })}
          >
            {KINDS.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        ) : (
          <span className="small muted">{node.items.length === 0 ? 'any payment' : 'all of these hold'}</span>
        )}
        <span className="actions">
          <Button variant="quiet" aria-label={`${name}: add a test`} onClick={() => change([...node.items, newTest()])}>
            + test
          </Button>
          <Button
            variant="quiet"
            aria-label={`${name}: add a group`}
            onClick={() => change([...node.items, group('any', [newTest()])])}
          >
            + group
          </Button>
          {onRemove && (
            <Button variant="quiet" aria-label={`${name}: remove the group`} onClick={onRemove}>
              ✕
            </Button>
          )}
        </span>
      </div>
      {node.items.length > 0 && (
        <ul className="condition-items">
          {node.items.map((item, index) => (
            <li key={item.key}>
              <Node
                name={name}
                node={item}
                errors={errors}
                onChange={(changed) => change(replaced(node.items, index, changed))}
                onRemove={() => change(without(node.items, index))}
              />
            </li>
          ))}
        </ul>
      )}
      {error !== undefined && <p className="field-error">{error}</p>}
    </div>
  );
}

function Node({ node, ...props }: NodeProps<ConditionNode> & { onRemove: () => void }) {
  return node.kind === 'test' ? <TestRow {...props} node={node} /> : <GroupFields {...props} node={node} />;
}

const labelOf = ({ kind }: GroupNode): string =>
  KINDS.find(({ value }) => value === kind)?.label ?? 'all of these hold';
