import { Injectable, Module } from '@nestjs/common';
import { AuditLogService, AuditModule } from '../../audit/audit-log.service.js';
import { COMMAND_LINE } from '../../audit/audit-context.js';
import type { Config } from '../../platform/config/config.js';
import { InjectConfig } from '../../platform/config/config.module.js';
import { Database } from '../../platform/database/database.js';
import type { ListedCharge, OperationAnswer, PaymentProvider } from '../../providers/payment-provider.js';
import { ProviderRegistry } from '../../providers/provider-registry.service.js';
import { ProvidersModule } from '../../providers/providers.module.js';
import { ShopsModule } from '../../shops/shops.module.js';
import { ShopsService } from '../../shops/shops.service.js';
import type { PaymentStatus } from '../ledger/payment-state.js';
import { FIND_CHARGES, type KnownCharge, LIST_SHOPS, type ShopRow } from './reconciliation.queries.js';

/** A page of a provider that does not answer is asked for so many times. */
const TRIES = 3;

/** A charge that a provider holds, and the shop whose account it is in. */
export interface HeldCharge extends ListedCharge {
  merchantId: number;
  shopId: number;
  provider: string;
}

/** A charge of a payment that we take for something else than the provider does. */
export interface Disagreement extends HeldCharge {
  ours: { paymentId: number; attempt: number; status: PaymentStatus };
}

/** A shop whose charges nobody can list. */
export interface UnlistedShop {
  merchantId: number;
  shopId: number;
  provider: string;
  reason: 'provider_lists_none' | 'no_answer';
}

export interface Reconciliation {
  /** Charges on which both sides agree. */
  agreed: number;
  /** Of payments that recovery still asks about. */
  open: number;
  /** Charges without a reference of ours: others use the account as well. */
  foreign: number;
  /** Money that is held, or may still be taken, for payments that this database does not know. */
  unknown: HeldCharge[];
  disagreements: Disagreement[];
  unlisted: UnlistedShop[];
}

/** What became of an unknown charge that was to be given back. */
export interface ReversedCharge {
  charge: HeldCharge;
  /** The provider's answer; `unknown`: none, and the command may be repeated. */
  outcome: OperationAnswer['outcome'] | 'unknown';
  reason?: string;
}

/**
 * Lays what the providers hold beside what this database knows: after it was restored, payments are missing that providers
 * have charged. Changes no payment; what is open is left to recovery. Ids of payments that providers name are those of the
 * database that is lost, and tell nothing about a payment of this one: charges are known by their reference alone.
 */
@Injectable()
export class ReconciliationService {
  constructor(
    private readonly database: Database,
    private readonly shops: ShopsService,
    private readonly providers: ProviderRegistry,
    private readonly audit: AuditLogService,
    @InjectConfig() private readonly config: Pick<Config, 'providerTimeoutMs'>,
  ) {}

  /** All charges that were made at `since` or later, in all shops. */
  async reconcile(since: Date): Promise<Reconciliation> {
    const found: Reconciliation = { agreed: 0, open: 0, foreign: 0, unknown: [], disagreements: [], unlisted: [] };
    /** Shops may share an account. */
    const seen = new Set<string>();
    for (const shop of await this.database.query<ShopRow>(LIST_SHOPS)) {
      const reason = await this.readShop(shop, since, async (charges) => {
        const unseen = charges.filter(({ transactionId }) => !seen.has(`${shop.provider} ${transactionId}`));
        for (const { transactionId } of unseen) seen.add(`${shop.provider} ${transactionId}`);
        await this.compare(unseen, found);
      });
      const { id: shopId, merchant_id: merchantId, provider } = shop;
      if (reason) found.unlisted.push({ merchantId, shopId, provider, reason });
    }
    return found;
  }

  /**
   * Voids or refunds an unknown charge, under a key made of its reference: once, however often it is asked for. The next
   * `reconcile` sees it done. Each time its merchant's audit log tells of it first.
   */
  async reverse(charge: HeldCharge): Promise<ReversedCharge> {
    await this.recordReversal(charge);
    const { shopId, transactionId, amount, currency } = charge;
    const reference = charge.reference!;
    const provider = this.providers.get(charge.provider);
    const credentials = await this.credentialsOf(shopId);
    const request = {
      shopId,
      transactionId,
      reference,
      amount,
      currency,
      credentials,
      paymentId: charge.paymentId ?? 0,
    };
    const signal = AbortSignal.timeout(this.config.providerTimeoutMs);
    const operation = { ...request, idempotencyKey: `reconcile-${reference}` };
    try {
      const answer =
        charge.status === 'open'
          ? await provider.void(operation, signal)
          : await provider.refund({ ...operation, reason: 'charged for a payment that was lost' }, signal);
      return { charge, outcome: answer.outcome, ...(answer.outcome === 'refused' && { reason: answer.reason }) };
    } catch {
      return { charge, outcome: 'unknown' };
    }
  }

  private async recordReversal({
    merchantId,
    shopId,
    reference,
    transactionId,
    amount,
    currency,
  }: HeldCharge): Promise<void> {
    const details = { reference: reference!, provider_transaction_id: transactionId, amount, currency };
    const entry = { merchantId, action: 'charge.given_back', objectId: shopId, details } as const;
    await this.database.transaction((transaction) => this.audit.record(transaction, COMMAND_LINE, entry));
  }

  /** Page by page. Answers why it could not, if so. */
  private async readShop(
    { id: shopId, merchant_id: merchantId, provider: name }: ShopRow,
    since: Date,
    take: (charges: HeldCharge[]) => Promise<void>,
  ): Promise<UnlistedShop['reason'] | undefined> {
    const provider = this.providers.get(name);
    if (!provider.listCharges) return 'provider_lists_none';
    const credentials = await this.credentialsOf(shopId);
    for (let after: string | null | undefined = null; after !== undefined;) {
      const page = await this.page(provider, { shopId, credentials }, since, after);
      if (!page) return 'no_answer';
      await take(page.charges.map((charge) => ({ ...charge, merchantId, shopId, provider: name })));
      after = page.next ?? undefined;
    }
    return undefined;
  }

  private async page(
    provider: PaymentProvider,
    account: { shopId: number; credentials: Record<string, unknown> },
    since: Date,
    after: string | null,
  ) {
    for (let tries = 1; tries <= TRIES; tries++) {
      try {
        return await provider.listCharges!(account, since, after, AbortSignal.timeout(this.config.providerTimeoutMs));
      } catch {
        // asked again; in the end the shop is reported, without the provider's words, which may hold what nobody may read
      }
    }
    return undefined;
  }

  private async credentialsOf(shopId: number): Promise<Record<string, unknown>> {
    return (await this.shops.providerAccount(shopId))?.credentials ?? {};
  }

  private async compare(charges: HeldCharge[], found: Reconciliation): Promise<void> {
    const references = charges.flatMap(({ reference }) => reference ?? []);
    const rows = await this.database.query<KnownCharge>(FIND_CHARGES, [references]);
    const known = new Map(rows.map((row) => [row.reference, row]));
    for (const charge of charges) {
      const ours = charge.reference === null ? undefined : known.get(charge.reference);
      if (charge.reference === null) found.foreign += 1;
      else if (!ours && isHeld(charge)) found.unknown.push(charge);
      else if (ours?.is_open || isUnderWay(ours)) found.open += 1;
      else if (!ours || agrees(ours, charge)) found.agreed += 1;
      else found.disagreements.push({ ...charge, ours: toOurs(ours) });
    }
  }
}

/** Money is there, or can still be taken. */
const isHeld = ({ status }: ListedCharge): boolean => status === 'captured' || status === 'open';

const isUnderWay = (ours: KnownCharge | undefined): boolean =>
  ours?.status === 'pending' || ours?.status === 'processing';

/** What decision 029 promises at rest. */
function agrees({ status, is_current: isCurrent }: KnownCharge, charge: ListedCharge): boolean {
  if (isCurrent && status === 'completed') return charge.status === 'captured';
  if (isCurrent && status === 'refunded') return charge.status === 'refunded';
  return !isHeld(charge);
}

const toOurs = ({ payment_id: paymentId, attempt, status }: KnownCharge): Disagreement['ours'] => ({
  paymentId,
  attempt,
  status,
});

/** For the command line. */
@Module({
  imports: [AuditModule, ProvidersModule, ShopsModule],
  providers: [ReconciliationService],
  exports: [ReconciliationService],
})
export class ReconciliationModule {}
