/** The amounts of a payment. Pending refunds count as refunded. */
export interface PaymentAmounts {
  amount_authorized: number;
  amount_captured: number;
  amount_refunded: number;
}

/** The amounts of a payment changed, and its status did not. */
export interface ChangedAmounts {
  payment_id: number;
  status: string;
  currency: string;
  cause: 'authorized' | 'refund_created' | 'refund_failed';
  refund_id: number | null;
  before: PaymentAmounts;
  after: PaymentAmounts;
}

/** A charge of a payment that had ended or moved to another shop. The service refunds it. */
export interface LateCharge {
  payment_id: number;
  status: string;
  attempt: number;
  provider: string;
  amount: number;
  currency: string;
}

/** A requested capture that has failed. */
export interface FailedCapture {
  payment_id: number;
  operation_id: number;
  attempt: number;
  provider: string;
  amount: number;
  currency: string;
  reason: string;
}

export interface LapsingAuthorization {
  payment_id: number;
  attempt: number;
  provider: string;
  amount: number;
  currency: string;
  capture_before: string;
}

export interface RefundState {
  id: number;
  payment_id: number;
  amount: number;
  currency: string;
  status: 'pending' | 'succeeded' | 'failed';
  origin: 'api' | 'provider';
  provider_refund_id: string | null;
  failure_code: string | null;
  created_at: string;
  updated_at: string;
}

export interface DisputeState {
  id: number;
  payment_id: number;
  shop_id: number;
  attempt: number;
  provider: string;
  provider_dispute_id: string;
  kind: 'inquiry' | 'chargeback' | 'pre_arbitration';
  status: 'open' | 'under_review' | 'won' | 'lost' | 'accepted';
  amount: number;
  currency: string;
  reason_code: string | null;
  network_reason_code: string | null;
  evidence_due_by: string | null;
  opened_at: string;
  updated_at: string;
}

/** A charge, capture, void or refund without a known outcome. */
export interface StuckOperation {
  payment_id: number;
  operation_id: number;
  kind: 'charge' | 'capture' | 'void' | 'refund';
  attempt: number;
  provider: string;
  amount: number;
  currency: string;
  /** The service no longer asks the provider: a person must act. */
  is_stopped: boolean;
  tries: number;
  last_answer: string | null;
  created_at: string;
}

export interface ShopDown {
  shop_name: string;
  provider: string;
  began_at: string;
  /** Payments of the last five minutes. */
  approved: number;
  declined: number;
  failed: number;
}

export interface ShopUp {
  shop_name: string;
  provider: string;
  began_at: string;
  ended_at: string;
}

export interface FallenApprovals {
  shop_name: string;
  card_scheme: string | null;
  approval_rate: number;
  approval_rate_before: number;
  attempts: number;
  attempts_before: number;
  fell_at: string;
}

/** Endpoints are named by scheme, host and port. */
export interface FailedDelivery {
  delivery_id: number;
  event: string;
  payment_status: string | null;
  endpoint_id: number | null;
  webhook_endpoint: string;
  attempts: number;
  last_status_code: number | null;
  last_error: string | null;
}

export interface FailingEndpoint {
  endpoint_id: number | null;
  webhook_endpoint: string;
  failing_since: string;
  last_status_code: number | null;
  last_error: string | null;
}

export interface RecoveredEndpoint {
  endpoint_id: number | null;
  webhook_endpoint: string;
  failing_since: string;
  recovered_at: string;
}

export interface DisabledEndpoint {
  endpoint_id: number;
  webhook_endpoint: string;
  reason: 'gone' | 'failing';
  disabled_at: string;
  failing_since: string;
}

export interface ActivatedFlow {
  flow_id: number;
  flow_name: string;
  version: number;
  previous_version: number | null;
}

export interface RenamedFlow {
  flow_id: number;
  flow_name: string;
  previous_name: string;
}

export interface RolloutOutcomes {
  payments: number;
  approved: number;
  declined: number;
  /** Requests that no shop took. They are no payments, and count as not approved. */
  refused: number;
}

export interface RolledBackFlow {
  flow_id: number;
  flow_name: string;
  version: number;
  previous_version: number;
  reason: 'requested' | 'guardrail';
  rollout_id: number | null;
  /** The numbers that crossed the guardrail of a rollout. */
  guardrail: {
    max_drop_points: number;
    drop_points: number;
    base: RolloutOutcomes;
    candidate: RolloutOutcomes;
  } | null;
}

export interface RequestedApproval {
  flow_id: number;
  flow_name: string;
  version: number;
  requested_by: string;
  /** None: everyone who may approve. */
  colleagues: string[];
  requested_at: string;
}

/** `data` of each type of event that is sent to standing endpoints, except changes of status. */
export interface EventData {
  'payment.amounts_changed': ChangedAmounts;
  'payment.late_charge': LateCharge;
  'capture.failed': FailedCapture;
  'authorization.lapsing': LapsingAuthorization;
  'refund.created': RefundState;
  'refund.updated': RefundState;
  'dispute.opened': DisputeState;
  'dispute.updated': DisputeState;
  'dispute.due': DisputeState;
  'dispute.closed': DisputeState;
  'operation.stuck': StuckOperation;
  'shop.down': ShopDown;
  'shop.up': ShopUp;
  'approvals.fell': FallenApprovals;
  'delivery.failed': FailedDelivery;
  'endpoint.failing': FailingEndpoint;
  'endpoint.recovered': RecoveredEndpoint;
  'endpoint.disabled': DisabledEndpoint;
  'approval.requested': RequestedApproval;
  'flow.activated': ActivatedFlow;
  'flow.rolled_back': RolledBackFlow;
  'flow.renamed': RenamedFlow;
}
