import type { LoadGeneratorOffer } from '../processes/load-generator.js';
import { paymentRequest } from '../support/api-fixtures.js';
import type { Context, Receiver } from './context.js';
import { type PaymentService, type QueueKind, startProductService, startTextbookService } from './payment-services.js';
import { Remote } from '../support/remote.js';
import type { Comparison } from '../support/report.js';

const ENDPOINTS = 20;

/** Whoever creates payments and takes their webhooks. */
export interface PaymentStage {
  context: Context;
  receiver: Receiver;
  load: Remote<LoadGeneratorOffer>;
  /** Of `POST /payments`, one for each endpoint. */
  bodies: string[];
  durationMs: number;
}

/**
 * `product` and `textbook` call no provider that keeps books in their own database: a real one has machines of its own.
 * `ledger` is the product beside the sandbox's ledger, as a trial without a provider runs it.
 */
export type Contestant = 'product' | 'textbook' | 'ledger';

export async function openPaymentStage(context: Context, durationMs: number): Promise<PaymentStage> {
  const receiver = await context.receiver();
  const load = await Remote.start<LoadGeneratorOffer>(context.supervisor, 'processes/load-generator');
  const port = await receiver.call('listen', { kind: 'ok' });
  // every loopback address is an origin of its own
  const bodies = Array.from({ length: ENDPOINTS }, (_, index) =>
    paymentRequest(`http://127.0.1.${index + 1}:${port}/hooks`),
  );
  return { context, receiver, load, bodies, durationMs };
}

/** Starts them for `run`, and stops them after it. */
export async function withContestants(
  context: Context,
  kind: QueueKind,
  run: (services: Record<Contestant, PaymentService>) => Promise<void>,
): Promise<void> {
  const services = {
    product: await startProductService(context, kind, { SANDBOX_LEDGER: 'false' }),
    textbook: await startTextbookService(context, kind),
    ledger: await startProductService(context, kind),
  };
  await run(services);
  for (const service of Object.values(services)) await service.stop();
}

/** A row of the figures of the product, or of the product with the sandbox's ledger, beside the textbook's. */
export const besideTextbook =
  <Figures>({ product, textbook, ledger }: Record<Contestant, Figures[]>) =>
  (label: string, figure: (figures: Figures) => number, who: 'product' | 'ledger' = 'product'): Comparison => ({
    label: who === 'ledger' ? `${label}, with the sandbox's ledger` : label,
    samples: (who === 'ledger' ? ledger : product).map(figure),
    baseline: { name: 'textbook', samples: textbook.map(figure) },
  });
