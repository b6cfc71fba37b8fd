import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api } from '../../api/client';
import { useShops } from '../../api/use-shops';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { fieldError } from '../../ui/field-errors';
import { Select, TextField } from '../../ui/field';
import { formText } from '../../ui/form-text';
import { PageLink } from '../../ui/page-link';
import { WithScope } from '../../ui/with-scope';
import { ProblemNotice } from '../../ui/problem-notice';
import { TestResult } from '../endpoints/test-result';

/** Sends one signed sample to an address, and shows the request and the answer. */
export const WebhookTesterCard = () => (
  <Card title="Webhook tester">
    <p className="muted">
      Sends one sample webhook, signed like every webhook of the shop, with <code>"test": true</code> in its body. It is
      not stored as a delivery. To test a receiver completely, run the conformance cases under{' '}
      <PageLink to="/endpoints">Endpoints</PageLink>.
    </p>
    <WithScope scope="webhooks:write">
      <Tester />
    </WithScope>
  </Card>
);

function Tester() {
  const shops = useShops();
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async ({ shopId, endpoint }: { shopId: number; endpoint: string }) =>
      (
        await api.post('/webhooks/shop/{shopId}/test', {
          params: { path: { shopId } },
          body: { webhook_endpoint: endpoint },
        })
      ).data,
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    mutate({ shopId: Number(formText(form, 'shop')), endpoint: formText(form, 'endpoint') });
  };
  return (
    <>
      <form className="tester" onSubmit={submit}>
        <ShopField shops={[...shops.values()]} />
        <TextField
          label="Address"
          name="endpoint"
          type="url"
          required
          maxLength={2048}
          placeholder="https://merchant.example/webhooks"
          error={fieldError(error, 'webhook_endpoint')}
        />
        <Button type="submit" variant="primary" isBusy={isPending}>
          Send
        </Button>
      </form>
      <ProblemNotice error={error} />
      <div role="status">{data && <TestResult result={data} />}</div>
    </>
  );
}

/** A list of shops, or a field for the shop id if the session cannot list shops or there are none. */
const ShopField = ({ shops }: { shops: readonly Schema<'Shop'>[] }) =>
  shops.length > 0 ? (
    <Select
      label="Sign as shop"
      name="shop"
      options={shops.map(({ id, name }) => ({ value: String(id), label: `${id}: ${name}` }))}
    />
  ) : (
    <TextField label="Sign as shop (id)" name="shop" type="number" min={1} required />
  );
