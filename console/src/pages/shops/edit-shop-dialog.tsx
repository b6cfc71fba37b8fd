import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { fieldError } from '../../ui/field-errors';
import { Select, TextField } from '../../ui/field';
import { FormDialog } from '../../ui/form-dialog';
import { formText } from '../../ui/form-text';
import { AccountField } from './account-field';
import { shopChanges } from './shop-changes';
import { shopChanged } from './shop-queries';

/** Edits the name, the label of the account, and whether the shop takes new payments. */
export function EditShopDialog({ shop, onClose }: { shop: Schema<'Shop'>; onClose: () => void }) {
  // the page continues to update the shop, but the fields keep the values from when the dialog was opened
  const [opened] = useState(shop);
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (data: FormData) => {
      const body = shopChanges(opened, {
        name: formText(data, 'name'),
        provider_account: formText(data, 'provider_account'),
        enabled: data.get('enabled') === 'yes',
      });
      if (Object.keys(body).length > 0) await api.patch('/shops/{id}', { params: { path: { id: shop.id } }, body });
    },
    onSuccess: async () => {
      onClose();
      await shopChanged(shop.id);
    },
  });
  return (
    <FormDialog
      title="Edit the shop"
      onClose={onClose}
      action="Save"
      onSubmit={mutate}
      isBusy={isPending}
      error={error}
    >
      <TextField
        label="Name"
        name="name"
        required
        maxLength={200}
        dir="auto"
        defaultValue={opened.name}
        error={fieldError(error, 'name')}
      />
      <AccountField
        label={opened.provider_account}
        hint="A new label names the account in all of its shops. Requests with the old label no longer reach them."
        error={error}
      />
      <Select
        label="Takes new payments"
        name="enabled"
        defaultValue={opened.enabled ? 'yes' : 'no'}
        hint="Flows skip a disabled shop. Its existing payments continue: refunds, notifications and webhooks still work."
        options={[
          { value: 'yes', label: 'yes: enabled' },
          { value: 'no', label: 'no: disabled' },
        ]}
      />
    </FormDialog>
  );
}
