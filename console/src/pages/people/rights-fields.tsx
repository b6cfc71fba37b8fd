import { useId } from 'react';
import { ROLE_NAMES, ROLES, SCOPE_MEANINGS, type Scope, SCOPES } from '../../api/rights';
import { useSession } from '../../api/session';
import { errorsWithin } from '../../ui/field-errors';
import { type ChosenRights, missingFor, roleLabel, roleMeaning, scopesOf } from './clients';

interface Props {
  rights: ChosenRights;
  onChange: (rights: ChosenRights) => void;
  error: unknown;
}

/** A role, or rights of one's own. What the session does not have itself cannot be chosen. */
export function RightsFields({ rights, onChange, error }: Props) {
  const { scopes: own } = useSession();
  const name = useId();
  const problem = errorsWithin(error, 'scopes') ?? errorsWithin(error, 'role');
  return (
    <fieldset className="people-roles">
      <legend>May</legend>
      {problem !== undefined && <p className="field-error">{problem}</p>}
      {ROLE_NAMES.map((role) => (
        <label key={role} className="people-choice">
          <input
            type="radio"
            name={name}
            checked={rights.role === role}
            disabled={missingFor(ROLES[role].scopes, own).length > 0}
            onChange={() => onChange({ ...rights, role })}
          />
          <span>
            <strong>{roleLabel(role)}</strong>
            <span className="people-note small muted">{roleMeaning(role)}</span>
          </span>
        </label>
      ))}
      <label className="people-choice">
        <input
          type="radio"
          name={name}
          checked={rights.role === 'custom'}
          onChange={() => onChange({ role: 'custom', scopes: scopesOf(rights) })}
        />
        <strong>{roleLabel('custom')}</strong>
      </label>
      {rights.role === 'custom' && (
        <Scopes scopes={rights.scopes} own={own} onChange={(scopes) => onChange({ ...rights, scopes })} />
      )}
    </fieldset>
  );
}

interface ScopesProps {
  scopes: readonly Scope[];
  own: readonly string[];
  onChange: (scopes: readonly Scope[]) => void;
}

const Scopes = ({ scopes, own, onChange }: ScopesProps) => (
  <div className="people-scopes">
    {SCOPES.map((scope) => (
      <label key={scope} className="people-choice small">
        <input
          type="checkbox"
          checked={scopes.includes(scope)}
          disabled={!own.includes(scope)}
          onChange={({ target }) =>
            onChange(target.checked ? [...scopes, scope] : scopes.filter((other) => other !== scope))
          }
        />
        <span>
          {SCOPE_MEANINGS[scope]} <code className="muted">{scope}</code>
        </span>
      </label>
    ))}
  </div>
);
