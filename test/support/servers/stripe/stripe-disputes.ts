import { type Emit, newId, now } from './stripe-params.js';
import type { DisputeCase, FakeCharge, FakeDispute, FakeDisputeStatus } from './stripe-objects.js';

/** The claim of a card holder's bank about a charge. */
interface DisputeFields {
  reason: string;
  caseType: DisputeCase;
  networkReasonCode: string;
  /** Minor units; less than the charge for a part of it. */
  amount: number;
  /** In seconds; 0: no response is allowed. */
  dueBy: number;
}

const RESPONSE_DAYS = 9;
const DAY_SECONDS = 86_400;
const FINAL = new Set<FakeDisputeStatus>(['won', 'lost', 'warning_closed', 'prevented']);
/** The merchant keeps the amount. */
const IS_KEPT = new Set<FakeDisputeStatus>(['won', 'warning_closed']);
/** Which statuses follow which. */
const NEXT: Readonly<Record<string, readonly FakeDisputeStatus[]>> = {
  warning_needs_response: ['warning_under_review', 'warning_closed', 'needs_response'],
  warning_under_review: ['warning_closed', 'needs_response'],
  needs_response: ['under_review', 'won', 'lost', 'prevented'],
  under_review: ['won', 'lost', 'appeal_needs_response'],
  appeal_needs_response: ['appeal_under_review', 'lost'],
  appeal_under_review: ['won', 'lost'],
};

/** The disputes of an account's charges, and the events that Stripe sends about them. */
export class StripeDisputes {
  readonly all = new Map<string, FakeDispute>();

  constructor(private readonly emit: Emit) {}

  /** A chargeback takes the amount from the account at once, an inquiry takes nothing. */
  open(charge: FakeCharge, fields: Partial<DisputeFields> = {}): FakeDispute {
    const { caseType = 'chargeback', reason = 'fraudulent', networkReasonCode = '10.4' } = fields;
    const dispute: FakeDispute = {
      id: newId('du'),
      object: 'dispute',
      amount: fields.amount ?? charge.amount_captured - charge.amount_refunded,
      balance_transactions: [],
      charge: charge.id,
      created: now(),
      currency: charge.currency,
      evidence: { appeal: null },
      evidence_details: {
        due_by: fields.dueBy ?? now() + RESPONSE_DAYS * DAY_SECONDS,
        has_evidence: false,
        past_due: false,
        submission_count: 0,
      },
      is_charge_refundable: caseType === 'inquiry',
      livemode: false,
      metadata: {},
      network_reason_code: networkReasonCode,
      payment_intent: charge.payment_intent,
      payment_method_details: {
        type: 'card',
        card: { brand: 'visa', case_type: caseType, network: 'visa', network_reason_code: networkReasonCode },
      },
      reason,
      status: caseType === 'inquiry' ? 'warning_needs_response' : 'needs_response',
    };
    this.all.set(dispute.id, dispute);
    charge.disputed = true;
    this.emit('charge.dispute.created', dispute);
    if (caseType !== 'inquiry') this.withdraw(dispute);
    return dispute;
  }

  /** Whether a charge cannot be refunded because its amount was taken back, or may be. */
  blocksRefund(charge: FakeCharge): boolean {
    const disputes = [...this.all.values()].filter((dispute) => dispute.charge === charge.id);
    return disputes.some((dispute) => !dispute.is_charge_refundable && !IS_KEPT.has(dispute.status));
  }

  /** The merchant submits evidence, now or in the appeal. */
  submitEvidence(id: string): void {
    const dispute = this.dispute(id);
    Object.assign(dispute.evidence_details, {
      has_evidence: true,
      submission_count: dispute.evidence_details.submission_count + 1,
    });
    if (dispute.status === 'appeal_needs_response') dispute.evidence.appeal = { card: {} };
    this.move(dispute, dispute.status.replace('needs_response', 'under_review') as FakeDisputeStatus);
  }

  /** An inquiry becomes a chargeback, under the same id. */
  escalate(id: string): void {
    const dispute = this.dispute(id);
    dispute.payment_method_details.card.case_type = 'chargeback';
    dispute.is_charge_refundable = false;
    this.move(dispute, 'needs_response');
    this.withdraw(dispute);
  }

  /** The bank rejects the response; the merchant may appeal. */
  reject(id: string): void {
    this.move(this.dispute(id), 'appeal_needs_response');
  }

  /** The merchant accepts the dispute (`/close`, or at the dashboard). */
  accept(id: string): void {
    this.close(id, 'lost');
  }

  close(id: string, status: 'won' | 'lost' | 'warning_closed' | 'prevented'): void {
    const dispute = this.dispute(id);
    this.move(dispute, status);
    if (status === 'won') this.emit('charge.dispute.funds_reinstated', dispute);
  }

  private move(dispute: FakeDispute, status: FakeDisputeStatus): void {
    if (!NEXT[dispute.status]?.includes(status))
      throw new Error(`a dispute never goes from ${dispute.status} to ${status}`);
    dispute.status = status;
    this.emit(FINAL.has(status) ? 'charge.dispute.closed' : 'charge.dispute.updated', dispute);
  }

  private withdraw(dispute: FakeDispute): void {
    dispute.balance_transactions = [{ object: 'balance_transaction', amount: -dispute.amount, type: 'adjustment' }];
    this.emit('charge.dispute.funds_withdrawn', dispute);
  }

  private dispute(id: string): FakeDispute {
    const dispute = this.all.get(id);
    if (!dispute) throw new Error(`there is no dispute ${id}`);
    return dispute;
  }
}
