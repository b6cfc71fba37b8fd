import type { Schema } from '@payment-orchestrator/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { queryClient } from '../../api/query-client';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { fieldError } from '../../ui/field-errors';
import { Select, TextField } from '../../ui/field';
import { PageLoading } from '../../ui/loading';
import { FormDialog } from '../../ui/form-dialog';
import { formText } from '../../ui/form-text';
import { ProblemNotice } from '../../ui/problem-notice';
import { Id } from '../../ui/values';
import { AccountField } from './account-field';
import { credentialChanges } from './credential-changes';
import { CredentialInputs, typedCredentials } from './credential-inputs';
import { FeeFields } from './fee-fields';
import { type FeeForm, feesOf } from './fee-form';
import { providersQuery } from './shop-queries';

/** Creates a shop, then shows its webhook secret. */
export function CreateShopDialog({ onClose }: { onClose: () => void }) {
  const { data: providers, error } = useQuery(providersQuery);
  const [created, setCreated] = useState<Schema<'CreatedShop'>>();
  if (created) return <CreatedDialog shop={created} onClose={onClose} />;
  if (providers) return <NewShopDialog providers={providers} onCreated={setCreated} onClose={onClose} />;
  return (
    <Dialog title="Create a shop" onClose={onClose}>
      {error ? <ProblemNotice error={error} /> : <PageLoading />}
    </Dialog>
  );
}

interface FormProps {
  providers: Schema<'Provider'>[];
  onCreated: (shop: Schema<'CreatedShop'>) => void;
  onClose: () => void;
}

function NewShopDialog({ providers, onCreated, onClose }: FormProps) {
  const [provider, setProvider] = useState(providers[0]!.name);
  const [fees, setFees] = useState<FeeForm[]>([]);
  const fields = providers.find(({ name }) => name === provider)!.credentials;
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (data: FormData) => {
      const typed = typedCredentials(data, fields);
      const account = formText(data, 'provider_account');
      const body = {
        name: formText(data, 'name'),
        provider,
        ...(account !== '' && { provider_account: account }),
        provider_credentials: credentialChanges({ typed, removed: new Set() }),
        ...(fees.length > 0 && { fees: feesOf(fees) }),
      };
      return (await api.post('/shops', { body })).data;
    },
    onSuccess: async (shop) => {
      onCreated(shop);
      await queryClient.invalidateQueries({ queryKey: ['/shops'] });
    },
  });
  return (
    <FormDialog
      title="Create a shop"
      onClose={onClose}
      action="Create"
      onSubmit={mutate}
      isBusy={isPending}
      error={error}
    >
      <TextField label="Name" name="name" required maxLength={200} error={fieldError(error, 'name')} />
      <Select
        label="Provider"
        hint="It cannot be changed later. The sandbox moves no money."
        value={provider}
        onChange={({ target }) => setProvider(target.value)}
        options={providers.map(({ name }) => ({ value: name, label: name }))}
        error={fieldError(error, 'provider')}
      />
      <AccountField
        hint="Empty: the label of the account’s other shops, or the provider’s id of the account."
        error={error}
      />
      <CredentialInputs key={provider} fields={fields} error={error} />
      <details>
        <summary>Fees of the provider</summary>
        <div className="stack">
          <FeeFields fees={fees} onChange={setFees} error={error} />
        </div>
      </details>
    </FormDialog>
  );
}

function CreatedDialog({ shop, onClose }: { shop: Schema<'CreatedShop'>; onClose: () => void }) {
  const navigate = useNavigate();
  const open = (): void => void navigate({ to: '/shops/$shopId', params: { shopId: String(shop.id) } });
  return (
    <Dialog
      title="Shop created"
      onClose={onClose}
      actions={
        <Button variant="primary" onClick={open}>
          Open the shop
        </Button>
      }
    >
      <p>
        The webhooks of this shop are signed with this secret. Your webhook receiver needs it. The page of the shop also
        shows it.
      </p>
      <p>
        <Id value={shop.webhook_secret} />
      </p>
    </Dialog>
  );
}
