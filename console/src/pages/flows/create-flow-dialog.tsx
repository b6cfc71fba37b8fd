import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useId, useState } from 'react';
import { api } from '../../api/client';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Select, TextField } from '../../ui/field';
import { fieldError } from '../../ui/field-errors';
import { ProblemNotice } from '../../ui/problem-notice';
import { ShopChecks } from './editor/shop-checks';
import { CHOICES } from './editor/strategies';
import { flowChanged, useShops } from './flow-queries';
import type { Choice } from './model/form';

/** What is needed at least; the editor has the rest. Rules can be written there. */
export function CreateFlowDialog({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [strategy, setStrategy] = useState<Choice>('round_robin');
  const [shopIds, setShopIds] = useState<number[]>([]);
  const shops = useShops();
  const form = useId();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => api.post('/flows', { body: { name, strategy, shops: shopIds.map((shop_id) => ({ shop_id })) } }),
    onSuccess: async ({ data }) => {
      await flowChanged();
      await navigate({ to: '/flows/$flowId', params: { flowId: String(data.id) } });
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate();
  };
  return (
    <Dialog
      title="Create a flow"
      onClose={onClose}
      actions={
        <Button type="submit" form={form} look="primary" isBusy={isPending}>
          Create and open
        </Button>
      }
    >
      <form id={form} className="stack" onSubmit={submit}>
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
        <ProblemNotice error={error} />
      </form>
    </Dialog>
  );
}
