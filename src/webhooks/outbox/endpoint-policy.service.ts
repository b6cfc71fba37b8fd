import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { endpointProblem, type EndpointRefusal, hasUnprintable } from '../../platform/addresses/endpoint.js';
import { invalidField } from '../../shared/problem.js';
import { parsedUrl } from '../../shared/parsed-url.js';

/** Settings that would allow a refused address. */
const UNLESS: Partial<Record<EndpointRefusal['code'], string>> = {
  forbidden_address: ', unless WEBHOOK_ALLOWED_NETWORKS names its network',
  https_required: ', unless WEBHOOK_REQUIRE_HTTPS is false',
};

const CACHED_VERDICTS = 1_000;

/** `null`: the address is allowed. */
interface EndpointVerdict {
  problem: EndpointRefusal | null;
}

/**
 * Rejects addresses that every attempt would reject: private addresses, forbidden ports, plain http. A host name is
 * resolved at each attempt, and its addresses are checked then.
 */
@Injectable()
export class EndpointPolicy {
  /** Cached, because a merchant's payments have the same address and the settings do not change. */
  private readonly judged = new LRUCache<string, EndpointVerdict>({ max: CACHED_VERDICTS });

  constructor(
    @InjectConfig() private readonly config: Pick<Config, 'webhookAllowedNetworks' | 'webhookRequireHttps'>,
  ) {}

  /** Throws `validation_failed` for the field. */
  require(endpoint: string, field = 'webhook_endpoint'): void {
    const { problem } = this.judged.get(endpoint) ?? this.judge(endpoint);
    if (problem === null) return;
    throw invalidField(field, problem.message + (UNLESS[problem.code] ?? ''));
  }

  private judge(endpoint: string): EndpointVerdict {
    const { webhookAllowedNetworks, webhookRequireHttps } = this.config;
    const verdict = { problem: endpointProblem(endpoint, webhookAllowedNetworks, webhookRequireHttps) };
    this.judged.set(endpoint, verdict);
    return verdict;
  }
}

export const MAX_ENDPOINT_LENGTH = 2_048;

/** Returns why `value` cannot be the address of a webhook, or `undefined` if it can. */
export function webhookEndpointError(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value.length > MAX_ENDPOINT_LENGTH) return `must be at most ${MAX_ENDPOINT_LENGTH} characters`;
  const url = parsedUrl(value);
  if (hasUnprintable(value) || !url) return 'must be an absolute http or https URL';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must be an absolute http or https URL';
  if (url.username !== '' || url.password !== '') return 'must not carry credentials';
  return undefined;
}

/** Returns scheme, host and port of a valid endpoint. All deliveries of a lane have the same. */
export const laneOrigin = (endpoint: string): string => new URL(endpoint).origin;
