import { SCOPE_MEANINGS, type Scope } from '../api/rights';
import { useSession } from '../api/session';

/** The meaning of a right, to complete "the right to …". */
export const meaningOf = (scope: string): string =>
  Object.hasOwn(SCOPE_MEANINGS, scope) ? SCOPE_MEANINGS[scope as Scope] : scope;

/** Names of an account's people who may give rights; beyond these, a list would not be read. */
const MOST_NAMES = 3;

/** The names of those who may give a right: "Ask Ada or Grace." */
export function WhoGives() {
  const { rights_given_by: names } = useSession();
  const shown = names.slice(0, MOST_NAMES);
  if (shown.length === 0) return 'Ask the owner of this account.';
  return (
    <>
      Ask{' '}
      {shown.map((name, index) => (
        <span key={name}>
          {index > 0 && (index === shown.length - 1 ? ' or ' : ', ')}
          <bdi>{name}</bdi>
        </span>
      ))}
      .
    </>
  );
}

/** Says in a sentence which right is missing, and who can give it. */
export const MissingRight = ({ scope }: { scope: Scope }) => (
  <>
    You do not have the right to {meaningOf(scope)}. <WhoGives />
  </>
);
