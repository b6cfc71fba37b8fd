/** The first client of a service, with all scopes, and its secret. */
export interface ClientCredentials {
  id: string;
  secret: string;
}

/** Rate limits that no test reaches, although their checks still run. */
const HIGH_LIMITS = {
  RATE_LIMIT_PER_SECOND: '1000000',
  TOKEN_RATE_LIMIT_PER_MINUTE: '1000000',
  NOTIFICATION_RATE_LIMIT_PER_SECOND: '1000000',
};

export const ENCRYPTION_KEY = Buffer.from('an encryption key for the tests!');

/** Settings of every service that tests, bench and chaos runs start: on loopback, with keys only for tests. */
export const SETTINGS = {
  HOST: '127.0.0.1',
  PORT: '0',
  WORKER_PORT: '0',
  JWT_SECRET: 'a-secret-for-the-tokens-of-the-tests',
  ENCRYPTION_KEY: ENCRYPTION_KEY.toString('base64'),
  WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8,::1/128',
  ...HIGH_LIMITS,
};

export const bootstrapClient = ({ id, secret }: ClientCredentials): Record<string, string> => ({
  BOOTSTRAP_CLIENT_ID: id,
  BOOTSTRAP_CLIENT_SECRET: secret,
});
