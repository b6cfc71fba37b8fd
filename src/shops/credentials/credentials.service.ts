import { Injectable, Logger } from '@nestjs/common';
import {
  type CredentialField,
  type CredentialsAnswer,
  MalformedAnswer,
  type PaymentProvider,
} from '@payment-orchestrator/provider-kit';
import { AuditLogService } from '../../audit/audit-log.service.js';
import type { AuditContext } from '../../audit/audit-context.js';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { Database } from '../../platform/database/database.js';
import { tooManyRequests } from '../../platform/rate-limit/rate-limit-answer.js';
import { RateLimits } from '../../platform/rate-limit/rate-limits.service.js';
import type { SharedLimit } from '../../platform/rate-limit/shared-limit.js';
import { ProviderRegistry } from '../../providers/provider-registry.service.js';
import { ShopCredentials } from '../shop-credentials.service.js';
import { ShopsService } from '../shops.service.js';
import { masked } from './masked.js';

/** The limit per merchant. It prevents a check of stolen keys in bulk. */
const CHECKS = { name: 'credential-checks', perSecond: 0.2, burst: 20 };

/** A credential of a shop in the form that a person may see; `shown`: `null` if the shop has none of that name. */
export type ShownCredential = CredentialField & { shown: string | null };

export type CheckedCredentials = CredentialsAnswer & {
  /** Names of the shop's credentials that no API call can check. */
  unchecked: string[];
};

/** Shows and checks a shop's credentials without revealing them. */
@Injectable()
export class CredentialsService {
  private readonly logger = new Logger(CredentialsService.name);
  private readonly checks: SharedLimit | undefined;

  constructor(
    private readonly shops: ShopsService,
    private readonly credentials: ShopCredentials,
    private readonly providers: ProviderRegistry,
    private readonly database: Database,
    private readonly audit: AuditLogService,
    limits: RateLimits,
    @InjectConfig() private readonly config: Pick<Config, 'providerTimeoutMs'>,
  ) {
    this.checks = limits.define(CHECKS);
  }

  /** Returns every credential that the provider accepts, in the provider's order. Throws `shop_not_found`. */
  async show(merchantId: number, shopId: number): Promise<ShownCredential[]> {
    const { provider, credentials } = await this.read(merchantId, shopId);
    return provider.credentialFields.map((field) => ({ ...field, shown: masked(credentials[field.name], field) }));
  }

  /**
   * Asks the provider whether it accepts the shop's credentials, by one call that changes nothing there. Only the fact
   * of the check is stored, in the audit log. Throws `shop_not_found` and `too_many_requests`.
   */
  async check(merchantId: number, shopId: number, context: AuditContext): Promise<CheckedCredentials> {
    const { provider, credentials } = await this.read(merchantId, shopId);
    const verdict = await this.checks?.take(String(merchantId));
    if (verdict?.allowed === false) throw tooManyRequests('credential checks', verdict);
    const entry = { merchantId, action: 'shop.credentials_checked', objectId: shopId } as const;
    await this.database.transaction((transaction) => this.audit.record(transaction, context, entry));
    const unchecked = provider.credentialFields.flatMap(({ name, usedFor }) =>
      usedFor === 'notifications' && credentials[name] !== undefined ? [name] : [],
    );
    return { ...(await this.ask(provider, credentials)), unchecked };
  }

  private async ask(provider: PaymentProvider, credentials: Record<string, unknown>): Promise<CredentialsAnswer> {
    // valid when stored, but the requirements may have changed, and after the loss of a key there are no credentials
    const errors = provider.validateCredentials(credentials);
    if (errors.length > 0) return { outcome: 'refused', errors };
    const signal = AbortSignal.timeout(this.config.providerTimeoutMs);
    try {
      return await provider.checkCredentials(credentials, signal);
    } catch (error) {
      this.logger.error({
        msg: 'the connector did not check credentials',
        provider: provider.name,
        reason: reasonOf(error),
      });
      return { outcome: 'unknown', reason: `the connector of ${provider.name} gave no usable answer` };
    }
  }

  private async read(merchantId: number, shopId: number) {
    const { provider } = await this.shops.find(merchantId, shopId);
    const credentials = await this.credentials.readable(shopId);
    return { provider: this.providers.get(provider), credentials };
  }
}

/** A connector's own error may contain credentials. */
const reasonOf = (error: unknown): string => (error instanceof MalformedAnswer ? error.message : 'it rejected');
