import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { FormDialog } from '../../ui/form-dialog';
import { FeeFields } from './fee-fields';
import { feeForms, feesOf, newFee } from './fee-form';
import { shopChanged } from './shop-queries';

/** Replaces the fees of a shop. */
export function EditFeesDialog({ shop, onClose }: { shop: Schema<'Shop'>; onClose: () => void }) {
  const [fees, setFees] = useState(() => (shop.fees.length === 0 ? [newFee()] : feeForms(shop.fees)));
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.patch('/shops/{id}', { params: { path: { id: shop.id } }, body: { fees: feesOf(fees) } }),
    onSuccess: async () => {
      onClose();
      await shopChanged(shop.id);
    },
  });
  return (
    <FormDialog
      title="Edit the fees"
      onClose={onClose}
      action="Save"
      onSubmit={() => mutate()}
      isBusy={isPending}
      error={error}
    >
      <FeeFields fees={fees} onChange={setFees} error={error} />
    </FormDialog>
  );
}
