import type { Schema } from '@payment-orchestrator/client';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { api } from '../../api/client';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { TextArea } from '../../ui/field';
import { fieldError } from '../../ui/field-errors';
import { ProblemNotice } from '../../ui/problem-notice';
import { headersToFillIn, parseHeaders, sentHeaders } from './sent-request';

const CARD_TITLE = 'Check a signature';

/** Verifies headers and a body as the receiver got them. The form starts with the request as it was sent. */
export function VerifyCard({ delivery, shopId }: { delivery: Schema<'DeliveryDetail'>; shopId: number }) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: async (webhook: { body: string; headers: Record<string, string> }) =>
      (await api.post('/webhooks/verify', { body: { shop_id: shopId, ...webhook } })).data,
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    mutate({ body: textOf(form, 'body'), headers: parseHeaders(textOf(form, 'headers')) });
  };
  return (
    <Card title={CARD_TITLE}>
      <p className="muted">
        If your receiver refuses the signature, enter the headers and the body that it got. The headers must include{' '}
        <code>Signature</code> or <code>webhook-signature</code>.
      </p>
      <form className="stack" onSubmit={submit}>
        <TextArea
          label="Headers"
          name="headers"
          rows={5}
          className="delivery-given"
          spellCheck={false}
          defaultValue={headersToFillIn(sentHeaders(delivery))}
          hint="One header per line, as Name: value. Headers without a value are ignored."
          error={fieldError(error, 'headers')}
        />
        <TextArea
          label="Body, as received"
          name="body"
          rows={5}
          className="delivery-given"
          spellCheck={false}
          defaultValue={delivery.request_body}
          error={fieldError(error, 'body')}
        />
        <div className="actions">
          <Button type="submit" isBusy={isPending}>
            Verify
          </Button>
        </div>
      </form>
      <ProblemNotice error={error} />
      {data && <Verdict verdict={data} />}
    </Card>
  );
}

const Verdict = ({ verdict: { valid, reason, advice } }: { verdict: Schema<'WebhookVerification'> }) => (
  <div className={`notice ${valid ? 'notice-good' : 'notice-bad'}`} role="status">
    {valid ? (
      <p>
        <strong>The signature is valid.</strong> A receiver should accept it.
      </p>
    ) : (
      <p>
        <code>{reason}</code>: {advice}
      </p>
    )}
  </div>
);

function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
}
