import { useSession } from '../../api/session';
import { Button } from '../../ui/button';
import { meaningOf } from '../../ui/missing-right';
import { useDialog } from '../../ui/use-dialog';
import { type Client, missingFor } from './clients';
import { EditDialog } from './edit-dialog';
import { NewSecretDialog } from './new-secret-dialog';
import { RevokeDialog } from './revoke-dialog';

/** Changes of a client, for a session that has all its rights. A new secret would end the own session before it was copied. */
export function ClientActions({ client }: { client: Client }) {
  const { client_id: own, scopes } = useSession();
  const dialog = useDialog<'edit' | 'secret' | 'revoke'>();
  const missing = missingFor(client.scopes, scopes);
  if (client.revoked_at !== null) return null;
  if (missing.length > 0)
    return <span className="small muted">Has a right that you do not have: to {meaningOf(missing[0]!)}</span>;
  return (
    <div className="people-actions">
      <Button onClick={() => dialog.open('edit')}>Edit …</Button>
      {client.client_id !== own && (
        <>
          <Button onClick={() => dialog.open('secret')}>New secret …</Button>
          <Button onClick={() => dialog.open('revoke')}>Revoke …</Button>
        </>
      )}
      {dialog.subject === 'edit' && <EditDialog client={client} onClose={dialog.close} />}
      {dialog.subject === 'secret' && <NewSecretDialog client={client} onClose={dialog.close} />}
      {dialog.subject === 'revoke' && <RevokeDialog client={client} onClose={dialog.close} />}
    </div>
  );
}
