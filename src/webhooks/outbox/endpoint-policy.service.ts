import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { endpointProblem, type EndpointRefusal, hasUnprintable } from '../../platform/addresses/endpoint.js';
import { invalidField } from '../../shared/problem.js';
import { parsedUrl } from '../../shared/parsed-url.js';

/** The settings that would allow it. */
const UNLESS: Partial<Record<EndpointRefusal['code'], string>> = {
  forbidden_address: ', unless WEBHOOK_ALLOWED_NETWORKS names its network',
  https_required: ', unless WEBHOOK_REQUIRE_HTTPS is false',
};

const REMEMBERED = 1_000;

/** `null`: it may be called. */
interface EndpointVerdict {
  problem: EndpointRefusal | null;
}

/**
 * Refuses at registration what would be refused at every attempt: private addresses, forbidden ports, plain http. Names
 * are resolved when they are called, and what they lead to is checked then.
 */
@Injectable()
export class EndpointPolicy {
  /** A merchant's payments name the same address again and again; the settings stay what they are. */
  private readonly judged = new LRUCache<string, EndpointVerdict>({ max: REMEMBERED });

  constructor(
    @InjectConfig() private readonly config: Pick<Config, 'webhookAllowedNetworks' | 'webhookRequireHttps'>,
  ) {}

  /** Throws `validation_failed` for the field `webhook_endpoint`. */
  require(endpoint: string): void {
    const { problem } = this.judged.get(endpoint) ?? this.judge(endpoint);
    if (problem === null) return;
    throw invalidField('webhook_endpoint', problem.message + (UNLESS[problem.code] ?? ''));
  }

  private judge(endpoint: string): EndpointVerdict {
    const { webhookAllowedNetworks, webhookRequireHttps } = this.config;
    const verdict = { problem: endpointProblem(endpoint, webhookAllowedNetworks, webhookRequireHttps) };
    this.judged.set(endpoint, verdict);
    return verdict;
  }
}

export const MAX_ENDPOINT_LENGTH = 2_048;

/** What is wrong with `value` as the address of a webhook; `undefined` when nothing is. */
export function webhookEndpointError(value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string';
  if (value.length > MAX_ENDPOINT_LENGTH) return `must be at most ${MAX_ENDPOINT_LENGTH} characters`;
  const url = parsedUrl(value);
  if (hasUnprintable(value) || !url) return 'must be an absolute http or https URL';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must be an absolute http or https URL';
  if (url.username !== '' || url.password !== '') return 'must not carry credentials';
  return undefined;
}

/** Scheme, host and port: what the deliveries of one lane have in common. Takes a valid endpoint. */
export const laneOrigin = (endpoint: string): string => new URL(endpoint).origin;
