import { useClientNames } from '../api/use-client-names';
import { useSession } from '../api/session';

/**
 * A person or program that did something. `name`: if the API has given it; otherwise it is looked up, as far as the session
 * may read clients. The id remains, for one that has no name.
 */
export function ActorName({ id, name }: { id: string; name?: string | null }) {
  const { client_id: own, name: ownName } = useSession();
  const known = useClientNames().get(id);
  const shown = id === own ? ownName : (name ?? known ?? subjectOf(id));
  return (
    <span title={id}>
      <bdi>{shown}</bdi>
      {id === own && ' (you)'}
    </span>
  );
}

/** The name of an external person at the identity provider; the id of a client as it is. */
const subjectOf = (id: string): string => id.replace(/^external:\d+:/, '');
