import { accepted, accessToken, type ServiceAddress } from '../service-requests.js';

const UNAUTHORIZED = 401;

/**
 * Opens the service's stream of events. Gets a token when there is none, or when the current one is no longer accepted.
 */
export class ServiceClient {
  private token: string | undefined;

  constructor(private readonly service: ServiceAddress) {
    this.token = 'token' in service.credentials ? service.credentials.token : undefined;
  }

  /**
   * The stream after `lastEventId`. Throws a `CommandError` when a retry cannot help, a `Refusal` when it may, and
   * `fetch`'s error without a response.
   */
  async events(search: URLSearchParams, lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
    const response = await this.open(search, lastEventId, signal);
    if (response.status !== UNAUTHORIZED || 'token' in this.service.credentials) return accepted(response);
    this.token = undefined;
    await response.body?.cancel();
    return accepted(await this.open(search, lastEventId, signal));
  }

  private async open(search: URLSearchParams, lastEventId: string | undefined, signal: AbortSignal): Promise<Response> {
    this.token ??= await accessToken(this.service, 'webhooks:read', signal);
    const headers = {
      authorization: `Bearer ${this.token}`,
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    };
    return fetch(`${this.service.url}/events?${search.toString()}`, { headers, signal });
  }
}
