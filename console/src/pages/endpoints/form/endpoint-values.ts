import type { Schema } from '@payment-orchestrator/client';
import type { EventType } from '../../../api/event-types';

export type AuthType = Schema<'EndpointAuth'>['type'];
export type Format = NonNullable<Schema<'CreateEndpoint'>['format']>;

export interface HeaderRow {
  /** Identifies the row while the user adds and removes others. */
  key: number;
  name: string;
  value: string;
}

/** The fields of the form, as typed. */
export interface EndpointValues {
  url: string;
  description: string;
  /** Whether it gets the events of all shops; then `shopIds` is not sent. */
  isForAllShops: boolean;
  shopIds: readonly number[];
  eventTypes: readonly EventType[];
  format: Format;
  /** Whether the stored headers stay as they are; then `headers` is not sent. */
  keepsHeaders: boolean;
  headers: readonly HeaderRow[];
  /** Whether the stored authentication stays as it is; then `auth` is not sent. */
  keepsAuth: boolean;
  authType: AuthType | 'none';
  auth: Readonly<Record<string, string>>;
  maxPerSecond: string;
  redeliversOnRecovery: boolean;
  /** Only for a new endpoint. */
  secret: string;
}

interface AuthField {
  name: string;
  label: string;
  isSecret?: true;
  isOptional?: true;
}

export const AUTH_FIELDS: Record<AuthType, readonly AuthField[]> = {
  basic: [
    { name: 'username', label: 'User name' },
    { name: 'password', label: 'Password', isSecret: true },
  ],
  bearer: [{ name: 'token', label: 'Token', isSecret: true }],
  oauth2_client_credentials: [
    { name: 'token_url', label: 'Token URL' },
    { name: 'client_id', label: 'Client id' },
    { name: 'client_secret', label: 'Client secret', isSecret: true },
    { name: 'scope', label: 'Scope (optional)', isOptional: true },
    { name: 'audience', label: 'Audience (optional)', isOptional: true },
    { name: 'resource', label: 'Resource (optional)', isOptional: true },
    { name: 'client_authentication', label: 'Client authentication: basic or body (optional)', isOptional: true },
  ],
};

export const AUTH_NAMES: Record<AuthType, string> = {
  basic: 'Basic: user name and password',
  bearer: 'Bearer token',
  oauth2_client_credentials: 'OAuth 2.0 client credentials',
};

export const NEW_ENDPOINT: EndpointValues = {
  url: '',
  description: '',
  isForAllShops: true,
  shopIds: [],
  eventTypes: ['payment.status_changed'],
  format: 'json',
  keepsHeaders: false,
  headers: [],
  keepsAuth: false,
  authType: 'none',
  auth: {},
  maxPerSecond: '',
  redeliversOnRecovery: true,
  secret: '',
};

/** The form of an existing endpoint. The API returns no secrets, so headers and authentication are kept until replaced. */
export const valuesOf = (endpoint: Schema<'Endpoint'>): EndpointValues => ({
  url: endpoint.url ?? '',
  description: endpoint.description ?? '',
  isForAllShops: endpoint.shop_ids === null,
  shopIds: endpoint.shop_ids ?? [],
  eventTypes: (endpoint.event_types ?? []) as EventType[],
  format: endpoint.format ?? 'json',
  keepsHeaders: (endpoint.header_names ?? []).length > 0,
  headers: (endpoint.header_names ?? []).map((name, key) => ({ key, name, value: '' })),
  keepsAuth: endpoint.auth !== null,
  authType: endpoint.auth?.type ?? 'none',
  auth: Object.fromEntries(
    Object.entries(endpoint.auth ?? {}).filter(
      (entry): entry is [string, string] => entry[0] !== 'type' && typeof entry[1] === 'string',
    ),
  ),
  maxPerSecond: endpoint.max_per_second === null ? '' : String(endpoint.max_per_second),
  redeliversOnRecovery: endpoint.redeliver_on_recovery ?? true,
  secret: '',
});

/** The body of `POST /webhooks/endpoints`. Fields that were left empty are absent. */
export function createBody(values: EndpointValues): Schema<'CreateEndpoint'> {
  const { description, shop_ids, headers, auth, max_per_second, ...required } = settingsOf(values);
  const secret = values.secret.trim();
  return {
    ...required,
    ...(description !== null && { description }),
    ...(shop_ids !== null && { shop_ids }),
    ...(headers !== null && { headers }),
    ...(auth !== null && { auth }),
    ...(max_per_second !== null && { max_per_second }),
    ...(secret !== '' && { secret }),
  };
}

/** The body of `PATCH /webhooks/endpoints/{id}`: only what the user has changed, so that changes by others stay. */
export function changesOf(opened: EndpointValues, values: EndpointValues): Schema<'UpdateEndpoint'> {
  const before = settingsOf(opened);
  const changed = Object.entries(settingsOf(values)).filter(([name, value]) => {
    if (name === 'headers') return !values.keepsHeaders && (opened.keepsHeaders || value !== null);
    if (name === 'auth') return !values.keepsAuth && (opened.keepsAuth || value !== null);
    return JSON.stringify(value) !== JSON.stringify(before[name as keyof typeof before]);
  });
  return Object.fromEntries(changed);
}

const settingsOf = (values: EndpointValues) => ({
  url: values.url.trim(),
  description: values.description.trim() === '' ? null : values.description.trim(),
  shop_ids: values.isForAllShops ? null : [...values.shopIds],
  event_types: [...values.eventTypes],
  format: values.format,
  headers: headersOf(values.headers),
  auth: authOf(values),
  max_per_second: values.maxPerSecond.trim() === '' ? null : Number(values.maxPerSecond),
  redeliver_on_recovery: values.redeliversOnRecovery,
});

/** Rows without a name and a value were added but not filled in. */
function headersOf(rows: readonly HeaderRow[]): Record<string, string> | null {
  const filled = rows.map(({ name, value }) => [name.trim(), value.trim()]).filter(([name, value]) => name || value);
  return filled.length === 0 ? null : (Object.fromEntries(filled) as Record<string, string>);
}

function authOf({ authType, auth }: EndpointValues): Schema<'EndpointAuth'> | null {
  if (authType === 'none') return null;
  const fields = AUTH_FIELDS[authType].flatMap(({ name, isOptional, isSecret }): [string, string][] => {
    const value = isSecret ? (auth[name] ?? '') : (auth[name] ?? '').trim();
    return isOptional && value === '' ? [] : [[name, value]];
  });
  return { type: authType, ...Object.fromEntries(fields) };
}
