/** What a token may do; a client holds a subset, a token carries a subset of its client's. */
export const SCOPES = [
  'flows:read',
  'flows:write',
  'flows:simulate',
  'shops:read',
  'shops:write',
  'payments:read',
  'payments:write',
  'webhooks:read',
  'webhooks:write',
] as const;

export type Scope = (typeof SCOPES)[number];
