import { Dialog } from '../../ui/dialog';
import { CopyButton, Facts, Id } from '../../ui/values';
import type { ClientKind } from './clients';

interface Props {
  title: string;
  kind: ClientKind;
  id: string;
  secret: string;
  onClose: () => void;
}

/** Shows a new secret: there is no way to read it later. */
export function SecretDialog({ title, kind, id, secret, onClose }: Props) {
  const address = `${location.origin}/console`;
  const all = [`Address: ${address}`, `Client id: ${id}`, `Client secret: ${secret}`].join('\n');
  return (
    <Dialog
      title={title}
      onClose={onClose}
      closeLabel="I have stored it"
      actions={kind === 'person' && <CopyButton text={all} label="Copy all" />}
    >
      <p className="notice notice-warn">Store the secret now: it is shown only once.</p>
      <Facts
        facts={[
          ...(kind === 'person' ? ([['Signs in at', address]] as [string, string][]) : []),
          ['Client id', <Id value={id} />],
          ['Client secret', <Id value={secret} />],
        ]}
      />
    </Dialog>
  );
}
