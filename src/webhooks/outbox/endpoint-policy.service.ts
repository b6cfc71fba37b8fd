import { Injectable } from '@nestjs/common';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { endpointProblem } from '../../platform/addresses/endpoint.js';
import { invalidField } from '../../shared/problem.js';

/**
 * Refuses at registration what would be refused at every attempt: private addresses, forbidden ports, plain http. Names
 * are resolved when they are called, and what they lead to is checked then.
 */
@Injectable()
export class EndpointPolicy {
  constructor(
    @InjectConfig() private readonly config: Pick<Config, 'webhookAllowedNetworks' | 'webhookRequireHttps'>,
  ) {}

  /** Throws `validation_failed` for the field `webhook_endpoint`. */
  require(endpoint: string): void {
    const { webhookAllowedNetworks, webhookRequireHttps } = this.config;
    const problem = endpointProblem(endpoint, webhookAllowedNetworks, webhookRequireHttps);
    if (problem !== null) throw invalidField('webhook_endpoint', `webhook_endpoint ${problem}`);
  }
}
