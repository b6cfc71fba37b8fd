import { Injectable, Module } from '@nestjs/common';
import { AuditLogService, AuditModule } from '../audit/audit-log.service.js';
import { COMMAND_LINE } from '../audit/audit-context.js';
import type { Config } from '../platform/config/config.js';
import { InjectConfig } from '../platform/config/config.module.js';
import { Database, type Statement } from '../platform/database/database.js';
import { type KnownCharge, KnownCharges } from '../payments/store/known-charges.service.js';
import type { ListedCharge, OperationAnswer, PaymentProvider } from '@payment-orchestrator/provider-kit';
import { ProviderRegistry } from '../providers/provider-registry.service.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { ShopsService } from '../shops/shops.service.js';
import { SHOPS } from '../shared/relations.js';

interface ShopRow {
  id: number;
  merchant_id: number;
  provider: string;
}

/** Every shop, disabled ones included: their charges count too. */
const LIST_SHOPS: Statement = {
  name: 'reconciliation.list_shops',
  text: `SELECT id, merchant_id, provider FROM ${SHOPS} shop ORDER BY id`,
};

/** Tries for a page that a provider does not return. */
const TRIES = 3;

/** A charge at a provider, and the shop whose account it is in. */
export interface HeldCharge extends ListedCharge {
  merchantId: number;
  shopId: number;
  provider: string;
}

/** A charge whose payment has a different state than the provider's. */
export interface Disagreement extends HeldCharge {
  ours: { paymentId: number; attempt: number; status: KnownCharge['status'] };
}

/** A shop whose charges cannot be listed. */
export interface UnlistedShop {
  merchantId: number;
  shopId: number;
  provider: string;
  reason: 'provider_lists_none' | 'no_answer';
}

export interface Reconciliation {
  /** Charges on which both sides agree. */
  agreed: number;
  /** Charges among these whose money was returned by lost disputes. */
  returnedByDispute: number;
  /** Charges of payments that recovery still asks about. */
  open: number;
  /** Charges without our reference: others use the account as well. */
  foreign: number;
  /** Charges that are captured or may still be, for payments that this database does not know. */
  unknown: HeldCharge[];
  disagreements: Disagreement[];
  unlisted: UnlistedShop[];
}

/** The result of reversing an unknown charge. */
export interface ReversedCharge {
  charge: HeldCharge;
  /** The provider's answer; `unknown`: none, and the command may be repeated. */
  outcome: OperationAnswer['outcome'] | 'unknown';
  reason?: string;
}

/**
 * Compares the providers' charges with this database: after a restore, payments are missing that providers have
 * charged. Changes no payment; open operations are left to recovery. Payment ids from providers belong to the lost
 * database and say nothing about this one, so only the reference identifies a charge.
 */
@Injectable()
export class ReconciliationService {
  constructor(
    private readonly database: Database,
    private readonly known: KnownCharges,
    private readonly shops: ShopsService,
    private readonly providers: ProviderRegistry,
    private readonly audit: AuditLogService,
    @InjectConfig() private readonly config: Pick<Config, 'providerTimeoutMs'>,
  ) {}

  /** All charges made at `since` or later, in all shops. */
  async reconcile(since: Date): Promise<Reconciliation> {
    const found: Reconciliation = {
      agreed: 0,
      returnedByDispute: 0,
      open: 0,
      foreign: 0,
      unknown: [],
      disagreements: [],
      unlisted: [],
    };
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
   * Voids or refunds an unknown charge, under a key derived from its reference: once, for any number of requests. The
   * next `reconcile` finds it reversed. Each request is recorded in the merchant's audit log first.
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
      attemptedAt: charge.createdAt,
      // its payment is lost, so no notification could be applied
      notificationUrl: undefined,
    };
    const signal = AbortSignal.timeout(this.config.providerTimeoutMs);
    const operation = { ...request, idempotencyKey: `reconcile-${reference}` };
    try {
      const answer = isUncaptured(charge)
        ? await provider.void({ ...operation, chargeIdempotencyKey: null }, signal)
        : await provider.refund({ ...operation, reason: 'charged for a payment that was lost', isRest: true }, signal);
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

  /** Reads a shop's charges page by page. Returns the reason if it could not. */
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
        // asked again; in the end the shop is reported, without the provider's message, which may have secrets
      }
    }
    return undefined;
  }

  private async credentialsOf(shopId: number): Promise<Record<string, unknown>> {
    return (await this.shops.providerAccount(shopId))?.credentials ?? {};
  }

  private async compare(charges: HeldCharge[], found: Reconciliation): Promise<void> {
    const references = charges.flatMap(({ reference }) => reference ?? []);
    const known = new Map((await this.known.find(references)).map((row) => [row.reference, row]));
    for (const charge of charges) {
      const ours = charge.reference === null ? undefined : known.get(charge.reference);
      if (charge.reference === null) found.foreign += 1;
      else if (!ours && isHeld(charge)) found.unknown.push(charge);
      else if (ours?.is_open || isUnderWay(ours)) found.open += 1;
      else if (!ours || agrees(ours, charge)) countAgreed(found, ours);
      else found.disagreements.push({ ...charge, ours: toOurs(ours) });
    }
  }
}

/** Whether nothing of the charge was captured yet. */
const isUncaptured = ({ status }: ListedCharge): boolean => status === 'open' || status === 'authorized';

/** Whether the charge is captured or can still be. */
const isHeld = (charge: ListedCharge): boolean => charge.status === 'captured' || isUncaptured(charge);

const isUnderWay = (ours: KnownCharge | undefined): boolean =>
  ours?.status === 'pending' || ours?.status === 'processing';

function countAgreed(found: Reconciliation, ours: KnownCharge | undefined): void {
  found.agreed += 1;
  if (ours?.is_returned) found.returnedByDispute += 1;
}

/** The agreement that decision 029 promises when nothing is open. */
function agrees(
  { status, is_current: isCurrent, is_returned: isReturned }: KnownCharge,
  charge: ListedCharge,
): boolean {
  // the money is with the payer: the provider may list it as captured or as refunded
  if (isReturned && !isUncaptured(charge)) return true;
  if (isCurrent && status === 'completed') return charge.status === 'captured';
  if (isCurrent && status === 'refunded') return charge.status === 'refunded';
  return !isHeld(charge);
}

const toOurs = ({ payment_id: paymentId, attempt, status }: KnownCharge): Disagreement['ours'] => ({
  paymentId,
  attempt,
  status,
});

/** Reconciliation for the command line. */
@Module({
  imports: [AuditModule, ProvidersModule, ShopsModule],
  providers: [KnownCharges, ReconciliationService],
  exports: [ReconciliationService],
})
export class ReconciliationModule {}
