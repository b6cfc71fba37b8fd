/** The account of shops whose credentials name none. */
export const DEFAULT_ACCOUNT = 'default';

/** The sandbox account of a shop. */
export function accountNameOf(credentials: Record<string, unknown>): string {
  const { account } = credentials;
  return typeof account === 'string' ? account : DEFAULT_ACCOUNT;
}

/** Tokens of all sandbox accounts are accepted. */
export const acceptsAnyToken = (credentials: Record<string, unknown>): boolean => credentials['any_token'] === true;
