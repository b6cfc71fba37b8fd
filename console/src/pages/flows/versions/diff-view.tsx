import { Badge, type Tone } from '../../../ui/badge';
import { type Change, diff } from '../model/diff';
import type { Definition } from '../model/form';

interface Props {
  from: Definition;
  to: Definition;
  caption: string;
  /** Shown when there is no difference. */
  none: string;
}

const TONES: Record<Change['kind'], Tone> = { added: 'good', removed: 'bad', changed: 'warn', moved: 'info' };

/** The differences of `to`, field by field. */
export function DiffView({ from, to, caption, none }: Props) {
  const changes = diff(withDefaults(from), withDefaults(to));
  if (changes.length === 0) return <p className="muted">{none}</p>;
  return (
    <ul className="diff" aria-label={caption}>
      {changes.map((change) => (
        <li key={`${change.path} ${change.kind}`}>
          <p>
            <code>{change.path}</code> <Badge tone={TONES[change.kind]}>{change.kind}</Badge>
          </p>
          <Values {...change} />
        </li>
      ))}
    </ul>
  );
}

function Values({ kind, from, to }: Change) {
  if (kind === 'moved') return <p className="small">{`From position ${String(from)} to ${String(to)}`}</p>;
  return (
    <>
      {from !== undefined && (
        <del>
          <code>{JSON.stringify(from)}</code>
        </del>
      )}
      {to !== undefined && (
        <ins>
          <code>{JSON.stringify(to)}</code>
        </ins>
      )}
    </>
  );
}

/** Adds defaults, because a missing field means the same as its default. */
const withDefaults = ({ shops, ...rest }: Definition): object => ({
  ...rest,
  max_attempts: rest.max_attempts ?? 1,
  capture: rest.capture ?? 'automatic',
  assertions: rest.assertions ?? [],
  shops: shops.map((shop) => ({ priority: 1, weight: 1, enabled: true, conditions: {}, ...shop })),
});
