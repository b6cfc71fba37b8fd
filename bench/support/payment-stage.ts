import type { LoadGeneratorOffer } from '../processes/load-generator.js';
import { paymentRequest } from './api-fixtures.js';
import type { Context, Receiver } from './context.js';
import { type PaymentService, type QueueKind, startProductService, startTextbookService } from './payment-services.js';
import { Remote } from './remote.js';
import type { Comparison } from './report.js';

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

export type Contestant = 'product' | 'textbook';

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

/** Starts both for `run`, and stops them after it. */
export async function withContestants(
  context: Context,
  kind: QueueKind,
  run: (services: Record<Contestant, PaymentService>) => Promise<void>,
): Promise<void> {
  const product = await startProductService(context, kind);
  const textbook = await startTextbookService(context, kind);
  await run({ product, textbook });
  await product.stop();
  await textbook.stop();
}

/** A row of the product's figures beside the textbook's. */
export const besideTextbook =
  <Figures>({ product, textbook }: Record<Contestant, Figures[]>) =>
  (label: string, figure: (figures: Figures) => number): Comparison => ({
    label,
    samples: product.map(figure),
    baseline: { name: 'textbook', samples: textbook.map(figure) },
  });
