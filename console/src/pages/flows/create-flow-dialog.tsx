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

/** What is needed at least; the editor has the rest. Rules can be written there. */
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
      // of `mutate`, not of the mutation: who has closed the dialog meanwhile is led nowhere
      onSubmit={() => mutate(undefined, { onSuccess: ({ data }) => open(data.id) })}
      isBusy={isPending}
      error={error}
    >
      <TextField
        label="Name"
        hint="Payments are created with it as flow_name"
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
        empty="There are no shops that you can see. Create one on the page Shops first."
      />
    </FormDialog>
  );
}
