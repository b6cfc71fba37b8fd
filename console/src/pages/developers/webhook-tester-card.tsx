import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useEffect } from 'react';
import { api } from '../../api/client';
import { useCan } from '../../api/session';
import { useList } from '../../api/use-list';
import { Badge } from '../../ui/badge';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { fieldError } from '../../ui/field-errors';
import { Select, TextField } from '../../ui/field';
import { formText } from '../../ui/form-text';
import { NeedsScope } from '../../ui/needs-scope';
import { PageLoading } from '../../ui/loading';
import { ProblemNotice } from '../../ui/problem-notice';
import { Code, CopyButton, Facts, Id } from '../../ui/values';
import { prettyJson } from './pretty-json';

/** Sends one signed sample to an address, and shows what was sent and what came back. */
export const WebhookTesterCard = () => (
  <Card title="Webhook tester">
    <p className="muted">
      Sends one sample, signed like every webhook of the shop, with <code>"test": true</code> in its body. Nothing is
      kept as a delivery. To prove a receiver right in every way, run the conformance cases on{' '}
      <Link to="/endpoints">Endpoints</Link>.
    </p>
    <NeedsScope scope="webhooks:write">
      <Tester />
    </NeedsScope>
  </Card>
);

function Tester() {
  const mayListShops = useCan('shops:read');
  const { rows: shops, error: shopsError, hasNextPage, fetchNextPage } = useList('/shops', { isEnabled: mayListShops });
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async ({ shopId, endpoint }: { shopId: number; endpoint: string }) =>
      (
        await api.post('/webhooks/shop/{shopId}/test', {
          params: { path: { shopId } },
          body: { webhook_endpoint: endpoint },
        })
      ).data,
  });
  // there may be more than a page of shops to choose from
  useEffect(() => void (hasNextPage && fetchNextPage()), [hasNextPage, fetchNextPage, shops?.length]);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    mutate({ shopId: Number(formText(form, 'shop')), endpoint: formText(form, 'endpoint') });
  };
  if (mayListShops && shops === undefined) return shopsError ? <ProblemNotice error={shopsError} /> : <PageLoading />;
  if (shops?.length === 0) {
    return (
      <p>
        There is no shop to sign with. <Link to="/shops">Create one</Link>.
      </p>
    );
  }
  return (
    <>
      <form className="tester" onSubmit={submit}>
        {shops ? (
          <Select
            label="Signed as shop"
            name="shop"
            options={shops.map(({ id, name }) => ({ value: String(id), label: `${id}: ${name}` }))}
          />
        ) : (
          <TextField label="Signed as shop (id)" name="shop" type="number" min={1} required />
        )}
        <TextField
          label="Address"
          name="endpoint"
          type="url"
          required
          maxLength={2048}
          placeholder="https://merchant.example/webhooks"
          error={fieldError(error, 'webhook_endpoint')}
        />
        <Button type="submit" look="primary" isBusy={isPending}>
          Send
        </Button>
      </form>
      <ProblemNotice error={error} />
      <div role="status">{data && <Result result={data} />}</div>
    </>
  );
}

function Result({ result }: { result: Schema<'WebhookTestResult'> }) {
  const { delivered, status_code: status, duration_ms: ms, error, signature } = result;
  return (
    <div className="stack">
      <Facts
        facts={[
          ['Outcome', <Badge tone={delivered ? 'good' : 'bad'}>{delivered ? 'delivered' : 'not delivered'}</Badge>],
          ['Answer', status ?? <code>{error}</code>],
          ['Duration', `${ms} ms`],
          ['Signature', <Id value={signature} />],
        ]}
      />
      <div className="columns">
        <section className="stack" aria-label="Request">
          <div className="row">
            <h3>Request body</h3>
            <CopyButton text={result.request_body} label="Copy as sent" />
          </div>
          <Code value={prettyJson(result.request_body)} />
        </section>
        <section className="stack" aria-label="Answer">
          <h3>Answer</h3>
          {result.response_body === null ? (
            <p className="muted">There was none. {error !== null && <ErrorMeaning error={error} />}</p>
          ) : (
            <Code value={result.response_body === '' ? '(an empty body)' : prettyJson(result.response_body)} />
          )}
        </section>
      </div>
    </div>
  );
}

/** The codes are explained where the API documents them. */
const ErrorMeaning = ({ error }: { error: string }) => (
  <>
    What <code>{error}</code> means is in the <a href="/docs">documentation</a>, at the tag webhooks.
  </>
);
