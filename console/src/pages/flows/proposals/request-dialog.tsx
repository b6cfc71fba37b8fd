import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client';
import { useClientNames } from '../../../api/use-client-names';
import { useSession } from '../../../api/session';
import { TextArea } from '../../../ui/field';
import { fieldError } from '../../../ui/field-errors';
import { FormDialog } from '../../../ui/form-dialog';
import { flowChanged } from '../flow-queries';

interface Props {
  flowId: number;
  version: Schema<'FlowVersion'>;
  onClose: () => void;
}

const MAX_MESSAGE = 500;

/** Asks colleagues for an approval. Without a choice, everyone who may approve is asked. */
export function RequestDialog({ flowId, version: { version }, onClose }: Props) {
  const [message, setMessage] = useState('');
  const [colleagues, setColleagues] = useState<string[]>([]);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      const text = message.trim();
      const body = { ...(text !== '' && { message: text }), ...(colleagues.length > 0 && { colleagues }) };
      return api.post('/flows/{id}/versions/{version}/approval-requests', {
        params: { path: { id: flowId, version } },
        body,
      });
    },
    onSuccess: async () => {
      await flowChanged();
      onClose();
    },
  });
  return (
    <FormDialog
      title="Ask for an approval"
      action="Ask"
      onSubmit={() => mutate()}
      onClose={onClose}
      isBusy={isPending}
      error={error}
    >
      <Colleagues chosen={colleagues} onChange={setColleagues} />
      <TextArea
        label="Message"
        hint="Optional. Those who are asked see it on this page."
        maxLength={MAX_MESSAGE}
        value={message}
        error={fieldError(error, 'message')}
        onChange={({ target }) => setMessage(target.value.replaceAll('\n', ' '))}
      />
    </FormDialog>
  );
}

/** Names are known only to those who may read the audit log; others ask everyone. */
function Colleagues({ chosen, onChange }: { chosen: readonly string[]; onChange: (ids: string[]) => void }) {
  const { client_id: own } = useSession();
  const others = [...useClientNames()].filter(([id]) => id !== own);
  return (
    <>
      <p>
        {chosen.length === 0
          ? 'Everyone who may activate flows is asked.'
          : 'Only those that you choose see it in their list. Others may approve, too.'}
      </p>
      {others.length > 0 && (
        <fieldset className="colleagues">
          <legend>Ask only</legend>
          {others.map(([id, name]) => (
            <label key={id}>
              <input
                type="checkbox"
                checked={chosen.includes(id)}
                onChange={({ target }) =>
                  onChange(target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
                }
              />
              <bdi>{name}</bdi>
            </label>
          ))}
        </fieldset>
      )}
    </>
  );
}
