import type { ConnectorHost } from './host.js';
import type { AccessTokens } from './http/access-tokens.js';
import type { ApiClient } from './http/http-api-client.js';
import type { PaymentProvider } from './payment-provider.js';

/** The means that a connector gets from the service. All of them can be replaced in tests. */
export interface ConnectorContext {
  http: ApiClient;
  /** The only state that a connector needs between calls. */
  accessTokens: AccessTokens;
  /** The current time, corrected by the database's clock. */
  clock: { now(): Date };
  random: {
    bytes(size: number): Buffer;
    uuid(): string;
  };
  /**
   * Reads the body of a notification as the service reads JSON: it refuses what cannot be stored or would be changed. Throws
   * `malformed_json` or `validation_failed`.
   */
  readonly parseJson: (body: Buffer) => unknown;
  /** Environment variables, except the service's own settings; an empty one is absent. */
  settings: Readonly<Record<string, string | undefined>>;
  /** Absent outside of a running service. */
  host?: ConnectorHost;
}

/** The default export of a connector's module. It is called once in each process, at the start. */
export type ProviderFactory = (context: ConnectorContext) => PaymentProvider | Promise<PaymentProvider>;
