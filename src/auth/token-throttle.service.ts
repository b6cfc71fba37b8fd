import { Injectable } from '@nestjs/common';
import type { Config } from '../platform/config/config.js';
import { InjectConfig } from '../platform/config/config.module.js';
import { retryAfterSeconds } from '../platform/rate-limit/rate-limit-answer.js';
import { RateLimits } from '../platform/rate-limit/rate-limits.service.js';
import type { SharedLimit } from '../platform/rate-limit/shared-limit.js';
import { isClientId } from './api-clients.service.js';
import { OAuthError } from './oauth-error.js';

/** A wrong secret costs as many permits as ten correct ones. */
const FAILURE_COST = 10;
/** The limit of one client from all addresses, as a multiple of one address's limit. One address cannot use it up. */
const CLIENT_SHARE = 5;

/** The client that a token is requested for, and the network of the request (`clientNetwork`). */
export interface TokenCaller {
  clientId: string;
  network: string;
}

/**
 * Limits how often secrets are tried, per address and per client, before the expensive hashing. A try first takes the
 * permits of a failure. So a thousand concurrent tries are not all accepted before the first has failed. Permits that
 * were not needed are released.
 */
@Injectable()
export class TokenThrottle {
  private readonly byAddress: SharedLimit | undefined;
  private readonly byClient: SharedLimit | undefined;

  constructor(limits: RateLimits, @InjectConfig() { tokenRateLimitPerMinute: perMinute }: Config) {
    this.byAddress = limits.define({ name: 'token-address', perSecond: perMinute / 60, burst: perMinute });
    const clientPerMinute = perMinute * CLIENT_SHARE;
    this.byClient = limits.define({ name: 'token-client', perSecond: clientPerMinute / 60, burst: clientPerMinute });
  }

  /** Runs `check`, which resolves to `null` for a wrong secret. Throws the `OAuthError` `too_many_requests`. */
  async run<T>(caller: TokenCaller, check: () => Promise<T | null>): Promise<T | null> {
    await this.reserve(caller);
    let given: number = FAILURE_COST;
    try {
      const result = await check();
      given = result === null ? 0 : FAILURE_COST - 1;
      return result;
    } finally {
      if (given > 0) this.release(caller, given);
    }
  }

  private async reserve({ clientId, network }: TokenCaller): Promise<void> {
    await this.take(this.byAddress, network);
    // text that cannot be a client id is not counted
    if (!isClientId(clientId)) return;
    await this.take(this.byClient, clientId).catch((error: unknown) => {
      this.byAddress?.charge(network, -FAILURE_COST);
      throw error;
    });
  }

  private async take(limit: SharedLimit | undefined, key: string): Promise<void> {
    const verdict = await limit?.take(key, FAILURE_COST);
    if (verdict?.allowed !== false) return;
    throw new OAuthError('too_many_requests', 'too many token requests', {
      retryAfterSeconds: retryAfterSeconds(verdict),
    });
  }

  private release({ clientId, network }: TokenCaller, permits: number): void {
    this.byAddress?.charge(network, -permits);
    if (isClientId(clientId)) this.byClient?.charge(clientId, -permits);
  }
}
