import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { useShops } from '../../api/use-shops';
import { Select, TextField } from '../../ui/field';
import { fieldError } from '../../ui/field-errors';
import { FormDialog } from '../../ui/form-dialog';
import { ShopChecks } from './editor/shop-checks';
import { CHOICES } from './editor/strategies';
import { flowChanged } from './flow-queries';
import type { Choice } from './model/form';

/** The minimum of a flow. Everything else, such as rules, is added in the editor. */
export function CreateFlowDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [strategy, setStrategy] = useState<Choice>('round_robin');
  const [shopIds, setShopIds] = useState<number[]>([]);
  const shops = useShops();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.post('/flows', { body: { name, strategy, shops: shopIds.map((shop_id) => ({ shop_id })) } }),
    onSuccess: flowChanged,
  });
  const open = (id: number): void => void navigate({ to: '/flows/$flowId', params: { flowId: String(id) } });
  return (
    <FormDialog
      title="Create a flow"
      onClose={onClose}
      action="Create and open"
      // a callback of `mutate` is not called after the dialog is closed, so a late answer opens no page
      onSubmit={() => mutate(undefined, { onSuccess: ({ data }) => open(data.id) })}
      isBusy={isPending}
      error={error}
    >
      <TextField
        label="Name"
        hint="Clients pass it as flow_name when they create a payment"
        error={fieldError(error, 'name')}
        value={name}
        maxLength={100}
        required
        autoFocus
        onChange={({ target }) => setName(target.value)}
      />
      <Select
        label="Strategy"
        options={CHOICES}
        value={strategy}
        error={fieldError(error, 'strategy')}
        onChange={({ target }) => setStrategy(target.value as Choice)}
      />
      <ShopChecks
        legend="Shops"
        shops={[...shops.values()]}
        chosen={shopIds}
        onChange={setShopIds}
        error={fieldError(error, 'shops')}
        empty="There are no shops, or you cannot see them. Create a shop on the Shops page first."
      />
    </FormDialog>
  );
}
