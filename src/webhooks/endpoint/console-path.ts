type Fields = Readonly<Record<string, unknown>>;

const isId = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
const pathOf = (page: string, id: unknown): string | undefined => (isId(id) ? `/${page}/${id}` : undefined);

/** The path of an event's page in the console, by the beginning of its type. */
const PATHS: Readonly<Record<string, (fields: Fields, data: Fields) => string | undefined>> = {
  approval: (_, { flow_id: id, version }) =>
    isId(id) && isId(version) ? `/flows/${id}/proposals/${version}` : undefined,
  delivery: (_, data) => pathOf('deliveries', data.delivery_id),
  endpoint: (_, data) => pathOf('endpoints', data.endpoint_id),
  flow: (_, data) => pathOf('flows', data.flow_id),
  shop: ({ shop_id: id }) => pathOf('shops', id),
  approvals: ({ shop_id: id }, { card_scheme: scheme }) =>
    isId(id)
      ? `/approvals?cell=${id}&value=${encodeURIComponent(typeof scheme === 'string' ? scheme : '')}`
      : undefined,
};

/** The path in the console of what the body of a webhook is about; `undefined`: it has no page, or is a sample. Pure. */
export function consolePathOf(fields: Fields): string | undefined {
  if (fields.test === true) return undefined;
  const [subject = ''] = String(fields.event).split('.');
  const payment = (fields.payment ?? {}) as Fields;
  const path = Object.hasOwn(PATHS, subject) ? PATHS[subject]!(fields, (fields.data ?? {}) as Fields) : undefined;
  return path ?? pathOf('payments', fields.payment_id ?? payment.id);
}
