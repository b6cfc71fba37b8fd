/** Who causes a change, and from where. */
export interface Origin {
  /** `cli`: the command line, on the server. `system`: the service itself, such as at its first start. */
  actor: 'client' | 'cli' | 'system';
  /** Of an API client; else `null`. */
  clientId: string | null;
  /** The address that the request came from. */
  address: string | null;
  /** The request's `X-Request-Id`. */
  requestId: string | null;
}

const local = (actor: 'cli' | 'system'): Origin => ({ actor, clientId: null, address: null, requestId: null });

export const SYSTEM = local('system');
export const COMMAND_LINE = local('cli');
