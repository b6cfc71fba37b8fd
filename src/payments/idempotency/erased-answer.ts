interface PaymentAnswer {
  data: {
    customer: { id: number } | null;
    metadata: unknown;
    provider_metadata: unknown;
    webhook_endpoint: string | null;
  };
}

/** A stored answer to `POST /payments` without personal data: what a repeat gets once the customer was erased. Pure. */
export function erasedAnswer(body: string): string {
  const answer = JSON.parse(body) as PaymentAnswer;
  const { customer, webhook_endpoint: endpoint } = answer.data;
  const data = {
    ...answer.data,
    customer: customer && { id: customer.id },
    metadata: {},
    provider_metadata: {},
    webhook_endpoint: endpoint && new URL(endpoint).origin,
  };
  return JSON.stringify({ ...answer, data });
}
