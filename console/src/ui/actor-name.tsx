import { useClientNames } from '../api/use-client-names';
import { useSession } from '../api/session';

/** An actor of the audit log, such as an API client: by its name, or by its id if the session may not read clients. */
export function ActorName({ id }: { id: string }) {
  const { client_id: own } = useSession();
  const name = useClientNames().get(id) ?? id;
  return (
    <span title={id}>
      <bdi>{name}</bdi>
      {id === own && ' (you)'}
    </span>
  );
}
