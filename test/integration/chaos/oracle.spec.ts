import { describe, expect, it } from '@jest/globals';
import { checkObjects } from '../../../bench/chaos/oracle/objects.js';
import { checkDeliveries } from '../../../bench/chaos/oracle/deliveries.js';
import { explainDuplicates } from '../../../bench/chaos/oracle/duplicates.js';
import type { AttemptRow, DeliveryRow, Evidence, FaultRecord } from '../../../bench/chaos/oracle/evidence.js';
import type { OurPayment } from '../../support/ledger/money.js';
import { Violations } from '../../support/ledger/violations.js';
import { checkHealth } from '../../../bench/chaos/oracle/health.js';
import { checkPayments } from '../../../bench/chaos/oracle/payments.js';
import { measureRecoveries } from '../../../bench/chaos/oracle/recovery.js';
import { checkSlowReceivers } from '../../../bench/chaos/oracle/slow-receivers.js';
import { checkTimes } from '../../../bench/chaos/oracle/times.js';
import { SeededRandom } from '../../../src/shared/seeded-random.js';
import { FAULT_KINDS, planFaults } from '../../../bench/chaos/schedule.js';
import { SLOW_HEALTHY } from '../../../bench/chaos/receivers.js';
import type { Receipt } from '../../../bench/chaos/processes/receivers.js';

const START = 1_700_000_000_000;
const DELAYS = [1_000, 2_000, 4_000];

const attempt = (delivery_id: number, number: number, at: number, status_code: number | null): AttemptRow => ({
  delivery_id,
  number,
  started_at: START + at,
  duration_ms: 10,
  status_code,
  error: status_code === null ? 'timeout' : null,
});

const receipt = (deliveryId: number, at: number, answered: number, fields: Partial<Receipt> = {}): Receipt => ({
  deliveryId,
  receiver: 0,
  arrivedAt: START + at + 2,
  endedAt: START + at + 8,
  answered,
  retryAfterMs: 0,
  bodyHash: 'hash',
  signature: 'signature',
  secret: 0,
  isGenuine: true,
  signedAt: Math.floor((START + at) / 1_000),
  ...fields,
});

const delivery = (id: number, payment_status: string, fields: Partial<DeliveryRow> = {}): DeliveryRow => ({
  id,
  payment_id: 1,
  payment_status,
  endpoint_id: 0,
  receiver: 0,
  status: 'delivered',
  attempts: 1,
  attempts_in_run: 1,
  last_status_code: 200,
  body_hash: 'hash',
  created_at: START,
  delivered_at: START + 20,
  ...fields,
});

const PAYMENT: OurPayment = {
  ...{ id: 1, status: 'completed', currency: 'EUR', reference: 'r' },
  ...{ amount: '10.0000', amount_authorized: '10.0000', amount_captured: '8.0000', amount_refunded: '0.0000' },
};

/**
 * One payment that went through processing to completed. Both changes are delivered, the second one at its second
 * attempt.
 */
const flawless = (): Evidence => ({
  retryDelaysMs: DELAYS,
  payments: [{ id: 1, shop_id: 1, status: 'completed', has_endpoint: true, reference: 'a', flow: 'checkout' }],
  changes: [
    { payment_id: 1, from_status: 'pending', to_status: 'processing' },
    { payment_id: 1, from_status: 'processing', to_status: 'completed' },
  ],
  deliveries: [delivery(1, 'processing'), delivery(2, 'completed', { attempts: 2, attempts_in_run: 2 })],
  standing: [],
  attempts: [attempt(1, 1, 0, 200), attempt(2, 1, 20, 500), attempt(2, 2, 1_050, 200)],
  shops: [{ id: 1, counted_payments: 1, counted_with_webhooks: 1 }],
  counter: 1,
  shopOrder: [1],
  outages: new Set(),
  notifications: new Map(),
  disputes: [{ payment_id: 1, provider_dispute_id: 'd', status: 'lost' }],
  made: new Map(),
  ledgers: {
    payments: [{ ...PAYMENT }],
    refunds: [{ id: 1, payment_id: 1, amount: '3.0000', status: 'failed', origin: 'api' }],
    operations: [],
    transactions: [],
  },
  receipts: [receipt(1, 0, 200), receipt(2, 20, 500), receipt(2, 1_050, 200)],
  promised: [
    { kind: 'created', paymentId: 1, reference: 'a', status: 'completed' },
    { kind: 'captured', paymentId: 1, amount: 8 },
    { kind: 'refund', paymentId: 1, refundId: 1, key: 'k', amount: 3 },
    { kind: 'disputed', paymentId: 1, disputeId: 'd', status: 'lost' },
  ],
  samples: [],
  faults: [],
  clockSteps: [],
});

function verdictOn(change: (evidence: Evidence) => void): string[] {
  const evidence = flawless();
  change(evidence);
  const violations = new Violations();
  for (const check of [checkPayments, checkObjects, checkDeliveries, checkTimes, checkHealth])
    check(evidence, violations);
  explainDuplicates(evidence, violations);
  checkSlowReceivers(evidence, violations);
  measureRecoveries(evidence, violations);
  return Object.keys(violations.counts());
}

const kill = (at: number): FaultRecord => ({
  fault: { number: 1, kind: 'kill-worker', atMs: at, durationMs: 500, slots: ['worker-1'] },
  from: START + at,
  to: START + at + 500,
  withoutDependency: [],
});

const crash = (at: number, kind: 'postgres-immediate' | 'postgres-fast' = 'postgres-immediate'): FaultRecord => ({
  ...kill(at),
  fault: { number: 1, kind, atMs: at, durationMs: 0, slots: [] },
});

/** The API has no connection to its database or queue for nine seconds. */
const cutOff = (kind: 'cut-postgres' | 'cut-redis'): FaultRecord => ({
  fault: { number: 1, kind, cut: 'hole', atMs: 0, durationMs: 9_000, slots: ['api'] },
  from: START,
  to: START + 9_000,
  withoutDependency: ['api'],
});

describe('the oracle of the chaos run', () => {
  it('finds nothing in a run without violations', () => {
    expect(verdictOn(() => undefined)).toEqual([]);
  });

  it('accepts a change after an answer that the worker did not record before its death', () => {
    const verdict = verdictOn(({ attempts, receipts, faults, deliveries }) => {
      attempts[0] = attempt(1, 1, 6_000, 200);
      receipts.push(receipt(1, 6_000, 200));
      deliveries[0]!.delivered_at = START + 6_010;
      faults.push(kill(30));
    });
    expect(verdict).toEqual([]);
  });

  it('accepts a change at a standing endpoint before the previous one at another endpoint', () => {
    const verdict = verdictOn(({ standing, deliveries, attempts, receipts }) => {
      standing.push(9);
      deliveries.push(delivery(3, 'processing', { endpoint_id: 9 }), delivery(4, 'completed', { endpoint_id: 9 }));
      attempts.push(attempt(3, 1, 0, 200), attempt(4, 1, 5, 200));
      receipts.push(receipt(3, 0, 200), receipt(4, 5, 200));
    });
    expect(verdict).toEqual([]);
  });

  it.each<[string, (evidence: Evidence) => void]>([
    ['changes without their deliveries', ({ standing }) => standing.push(9)],
    ['delivery lost', ({ deliveries }) => (deliveries[1]!.status = 'pending')],
    ['changes without their deliveries', ({ deliveries }) => deliveries.pop()],
    ['marked delivered, but never received', ({ receipts }) => receipts.shift()],
    ['attempts not on record', ({ attempts }) => attempts.pop()],
    ['given up too early', ({ deliveries }) => (deliveries[1]!.status = 'failed')],
    [
      'failed after a success',
      ({ deliveries }) => Object.assign(deliveries[1]!, { status: 'failed', attempts_in_run: 4 }),
    ],
    ['too many attempts', ({ deliveries }) => Object.assign(deliveries[1]!, { attempts: 5, attempts_in_run: 5 })],
    ['too many attempts', ({ deliveries }) => (deliveries[1]!.attempts = 41)],
    ['body differs between attempts', ({ receipts }) => (receipts[2]!.bodyHash = 'other')],
    ['signature differs between attempts', ({ receipts }) => (receipts[2]!.signature = 'other')],
    ['signature does not verify', ({ receipts }) => (receipts[0]!.isGenuine = false)],
    ['webhook of a change that was never committed', ({ receipts }) => receipts.push(receipt(3, 0, 200))],
    ['attempt before its time', ({ attempts }) => (attempts[2] = attempt(2, 2, 980, 200))],
    ['received before its time', ({ receipts }) => receipts.push(receipt(2, 500, 500))],
    ['attempt before its time', ({ receipts }) => (receipts[1]!.retryAfterMs = 5_000)],
    ['changes out of order', ({ attempts }) => (attempts[0] = attempt(1, 1, 50, 200))],
    [
      'changes out of order',
      ({ attempts, receipts }) => {
        attempts[0] = attempt(1, 1, 50, 200);
        receipts[0] = receipt(1, 50, 200);
        receipts.push(receipt(1, 15, 200));
      },
    ],
    ['duplicate without a cause', ({ receipts }) => receipts.push(receipt(1, 9_000, 200))],
    ['illegal change of status', ({ changes }) => (changes[1]!.from_status = 'failed')],
    ['status without its change', ({ payments }) => (payments[0]!.status = 'refunded')],
    ['promised payment lost', ({ promised }) => promised.push({ kind: 'refunded', paymentId: 2 })],
    ['promised payment differs', ({ payments }) => (payments[0]!.reference = 'b')],
    ['promised change lost', ({ promised }) => promised.push({ kind: 'refunded', paymentId: 1 })],
    [
      'notification not stored once',
      ({ promised }) => promised.push({ kind: 'notified', paymentId: 1, notificationId: 'n' }),
    ],
    ['promised capture differs', ({ ledgers }) => (ledgers.payments[0]!.amount_captured = '9.0000')],
    ['promised refund differs', ({ ledgers }) => (ledgers.refunds[0]!.amount = '2.0000')],
    ['promised refund differs', (evidence) => (evidence.ledgers = { ...evidence.ledgers, refunds: [] })],
    [
      'one request, two refunds',
      (evidence) => {
        const { ledgers, promised } = evidence;
        const refunds = [...ledgers.refunds, { ...ledgers.refunds[0]!, id: 2 }];
        evidence.ledgers = { ...ledgers, refunds };
        promised.push({ kind: 'refund', paymentId: 1, refundId: 2, key: 'k', amount: 3 });
      },
    ],
    ['reported dispute differs', ({ disputes }) => (disputes[0]!.status = 'open')],
    ['counter behind', (evidence) => (evidence.counter = 0)],
    ['statistics miscounted', ({ shops }) => (shops[0]!.counted_payments = 2)],
    [
      'one request, two payments',
      ({ payments }) => payments.push({ ...payments[0]!, id: 2, status: 'pending', has_endpoint: false }),
    ],
    [
      'repeat got another payment',
      ({ promised }) => promised.push({ kind: 'created', paymentId: 2, reference: 'a', status: 'completed' }),
    ],
    [
      'slow recovery from SIGKILL',
      ({ faults, deliveries }) => {
        faults.push({ ...kill(-100), to: START + 400 });
        deliveries[0]!.created_at = START - 200;
        deliveries[0]!.delivered_at = START + 15_000;
      },
    ],
    [
      'not ready in quiet times',
      ({ samples }) => {
        for (let at = 0; at < 3; at++) {
          samples.push({ slot: 'api', askedAt: START + at, answeredAt: START + at + 1, status: 'degraded' });
        }
      },
    ],
    [
      'ready without a dependency',
      ({ samples, faults }) => {
        faults.push(cutOff('cut-postgres'));
        samples.push({ slot: 'api', askedAt: START + 4_000, answeredAt: START + 4_001, status: 'degraded' });
      },
    ],
    [
      'not ready without the queue',
      ({ samples, faults }) => {
        faults.push(cutOff('cut-redis'));
        for (let at = START + 4_000; at < START + 7_000; at += 1_000) {
          samples.push({ slot: 'api', askedAt: at, answeredAt: at + 1, status: 'unavailable' });
        }
      },
    ],
  ])('finds: %s', (kind, change) => {
    expect(verdictOn(change)).toContain(kind);
  });

  it('accepts a process that continues without the queue', () => {
    const goesOn = ({ samples, faults }: Evidence): void => {
      faults.push(cutOff('cut-redis'));
      for (let at = START + 4_000; at < START + 7_000; at += 1_000) {
        samples.push({ slot: 'api', askedAt: at, answeredAt: at + 1, status: 'degraded' });
      }
    };
    expect(verdictOn(goesOn)).toEqual([]);
  });

  it('finds a counter value that two payments share', () => {
    const share = (evidence: Evidence): void => {
      evidence.shopOrder = [1, 2];
      evidence.counter = 2;
      evidence.payments.push({
        ...evidence.payments[0]!,
        id: 2,
        status: 'pending',
        reference: 'b',
        has_endpoint: false,
      });
    };
    expect(verdictOn(share)).toContain('shared value of the counter');
  });

  it('lets a shop take the payments of one that was out of service', () => {
    const out = (outages: number[]) => (evidence: Evidence) => {
      Object.assign(evidence, { counter: 2, shopOrder: [1, 2], outages: new Set(outages) });
      evidence.payments.push({ ...evidence.payments[0]!, id: 2, reference: 'b', has_endpoint: false });
    };
    expect(verdictOn(out([]))).toContain('shared value of the counter');
    expect(verdictOn(out([2]))).not.toContain('shared value of the counter');
  });

  it('tolerates the shift of a wall clock correction when it happened', () => {
    // attempt 1 is recorded from 20 to 30, before the clock went forward by 200
    const latecomer = (byMs: number, at: number) => (evidence: Evidence) => {
      evidence.receipts[1] = receipt(2, 300, 500);
      evidence.clockSteps = [{ at: START + at, byMs }];
    };
    expect(verdictOn(latecomer(200, 25))).toEqual([]);
    expect(verdictOn(latecomer(20, 25))).toContain('received before its time');
    expect(verdictOn(latecomer(200, 60_000))).toContain('received before its time');
  });

  it('tolerates one repeated request on a fresh connection, but not two', () => {
    const evidence = flawless();
    const reset = { answered: null, endedAt: START + 22 };
    evidence.receipts.splice(1, 0, receipt(2, 20, 500, reset));
    const once = new Violations();
    expect(explainDuplicates(evidence, once)).toMatchObject({ extraRequests: 1, sentOnceMore: 1 });
    expect(once.count).toBe(0);

    evidence.receipts.splice(1, 0, receipt(2, 20, 500, reset));
    const twice = new Violations();
    explainDuplicates(evidence, twice);
    expect(twice.counts()).toEqual({ 'duplicate without a cause': 2 });
  });

  it('tolerates a repeated request in each of several attempts', () => {
    const evidence = flawless();
    const reset = { answered: null, endedAt: START + 22 };
    evidence.attempts.splice(1, 2, attempt(2, 1, 20, null), attempt(2, 2, 1_050, null));
    const repeat = { ...reset, arrivedAt: START + 24 };
    evidence.receipts.splice(1, 2, receipt(2, 20, 0, reset), receipt(2, 20, 0, repeat), receipt(2, 1_050, 0, reset));
    const violations = new Violations();
    expect(explainDuplicates(evidence, violations)).toMatchObject({ extraRequests: 1, sentOnceMore: 1 });
    expect(violations.count).toBe(0);
  });

  it('reports a second request after an answered one', () => {
    const evidence = flawless();
    evidence.receipts.splice(1, 0, receipt(2, 20, 500, { endedAt: START + 22 }));
    const violations = new Violations();
    explainDuplicates(evidence, violations);
    expect(violations.counts()).toEqual({ 'duplicate without a cause': 1 });
  });

  it('explains a duplicate by the death of a worker', () => {
    const evidence = flawless();
    evidence.receipts.push(receipt(1, 9_000, 200));
    evidence.faults.push(kill(8_900));
    const violations = new Violations();
    const { extraRequests, acceptedTwice, byFault } = explainDuplicates(evidence, violations);
    expect({ extraRequests, acceptedTwice, explained: [...byFault.values()] }).toEqual({
      extraRequests: 1,
      acceptedTwice: 1,
      explained: [1],
    });
    expect(violations.count).toBe(0);
  });

  it('explains a duplicate by a lease that was lost in a crash of PostgreSQL', () => {
    const evidence = flawless();
    evidence.receipts.push(receipt(1, 900, 200));
    evidence.faults.push(crash(300));
    const violations = new Violations();
    const { extraRequests, lostLeases, byFault } = explainDuplicates(evidence, violations);
    expect({ extraRequests, lostLeases, byFault: byFault.size }).toEqual({
      extraRequests: 1,
      lostLeases: 1,
      byFault: 0,
    });
    expect(violations.count).toBe(0);
  });

  it.each([
    ['a claim that had been on disk for a long time', 5_000, 5_900, 'postgres-immediate'],
    ['a second request that a lease would have let through', 300, 6_000, 'postgres-immediate'],
    ['a shutdown that loses nothing', 300, 900, 'postgres-fast'],
  ] as const)('rejects a lost lease as the cause of a duplicate after %s', (_, crashesAt, arrivesAt, kind) => {
    const evidence = flawless();
    evidence.receipts.push(receipt(1, arrivesAt, 200));
    evidence.faults.push(crash(crashesAt, kind));
    expect(explainDuplicates(evidence, new Violations())).toMatchObject({ extraRequests: 1, lostLeases: 0 });
  });

  describe('for a slow but healthy receiver', () => {
    /** The receiver's only delivery, with a first attempt that timed out. */
    const firstAttemptFailed = (evidence: Evidence): void => {
      evidence.deliveries[1]!.receiver = SLOW_HEALTHY[0]!;
      evidence.attempts[1] = { ...attempt(2, 1, 20, null), duration_ms: 3_000 };
      evidence.attempts[2] = attempt(2, 2, 4_050, 200);
      evidence.receipts[1] = receipt(2, 20, 200, { answered: null, endedAt: START + 1_500 });
      evidence.receipts[2] = receipt(2, 4_050, 200);
    };

    it('requires that every delivery succeeds at its first attempt', () => {
      expect(verdictOn(firstAttemptFailed)).toEqual(['failed attempt at a healthy receiver']);
    });

    it('requires a request for every attempt', () => {
      const unsent = (evidence: Evidence): void => {
        firstAttemptFailed(evidence);
        evidence.receipts.splice(1, 1);
      };
      expect(verdictOn(unsent)).toEqual(['attempt without a request']);
    });

    it('reports a failed delivery', () => {
      const givenUp = (evidence: Evidence): void => {
        firstAttemptFailed(evidence);
        evidence.deliveries[1]!.status = 'failed';
      };
      expect(verdictOn(givenUp)).toContain('delivery to a healthy receiver failed');
    });

    it('explains another attempt by a worker that was frozen during the first', () => {
      const evidence = flawless();
      firstAttemptFailed(evidence);
      evidence.faults.push({ ...kill(500), fault: { ...kill(500).fault, kind: 'freeze-worker' } });
      const violations = new Violations();
      expect([...checkSlowReceivers(evidence, violations).byFault.values()]).toEqual([1]);
      expect(violations.count).toBe(0);
    });

    it('rejects the death of a worker as the cause of another attempt, because a dead worker records none', () => {
      expect(
        verdictOn((evidence) => {
          firstAttemptFailed(evidence);
          evidence.faults.push(kill(500));
        }),
      ).toEqual(['failed attempt at a healthy receiver']);
    });

    it('explains another attempt by a late receiver', () => {
      const evidence = flawless();
      firstAttemptFailed(evidence);
      evidence.receipts[1]!.endedAt = START + 2_900;
      const violations = new Violations();
      expect(checkSlowReceivers(evidence, violations)).toMatchObject({ slowMachine: 1 });
      expect(violations.count).toBe(0);
    });
  });
});

describe('planFaults for a chaos run', () => {
  const options = { durationMs: 1_800_000, maxFaultMs: 12_000, pauseMs: 10_000, kinds: FAULT_KINDS, receivers: 8 };

  it('returns the same plan for the same seed, and another plan for another seed', () => {
    const plan = (seed: number) => planFaults(new SeededRandom(seed), { ...options, hasRedis: true });
    expect(plan(7)).toEqual(plan(7));
    expect(plan(8)).not.toEqual(plan(7));
  });

  it.each([true, false])('plans at least 60 faults, of every kind, in half an hour, with Redis: %s', (hasRedis) => {
    for (let seed = 1; seed <= 50; seed++) {
      const plan = planFaults(new SeededRandom(seed), { ...options, hasRedis });
      expect(plan.length).toBeGreaterThanOrEqual(60);
      const kinds = new Set(plan.map((fault) => fault.kind));
      expect(kinds).toEqual(new Set(FAULT_KINDS.filter((kind) => hasRedis || !kind.includes('redis'))));
    }
  });
});
