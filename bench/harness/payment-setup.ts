import type { LoadGeneratorMethods } from '../processes/load-generator.js';
import { paymentRequest } from '../support/api-fixtures.js';
import type { Context, Receiver } from './context.js';
import { type PaymentService, type QueueKind, startProductService, startReferenceService } from './payment-services.js';
import { Remote } from '../support/remote.js';
import type { Comparison } from '../support/report.js';

const ENDPOINTS = 20;
/** Origin of the standing endpoints, without its port. */
const STANDING_ORIGIN = 'http://127.0.1.200';

/** Creates payments and receives their webhooks. */
export interface PaymentSetup {
  context: Context;
  receiver: Receiver;
  load: Remote<LoadGeneratorMethods>;
  /** Origin of standing endpoints. */
  standingAt: string;
  /** Bodies of `POST /payments`, one for each endpoint. */
  bodies: string[];
  durationMs: number;
}

/**
 * `product` and `reference` call no provider with books in their database, because a real one has its own machines.
 * `ledger` is the product with the sandbox's ledger, as a trial without a provider runs it. `standing` is the product with
 * a standing endpoint for each shop, so that each change has two deliveries.
 */
export type SystemName = 'product' | 'reference' | 'ledger' | 'standing';

export async function openPaymentSetup(context: Context, durationMs: number): Promise<PaymentSetup> {
  const receiver = await context.receiver();
  const load = await Remote.start<LoadGeneratorMethods>(context.supervisor, 'processes/load-generator');
  const port = await receiver.call('listen', { kind: 'ok' });
  // every loopback address is a separate origin
  const bodies = Array.from({ length: ENDPOINTS }, (_, index) =>
    paymentRequest(`http://127.0.1.${index + 1}:${port}/hooks`),
  );
  return { context, receiver, load, standingAt: `${STANDING_ORIGIN}:${port}`, bodies, durationMs };
}

/** Starts all systems for `run`, and stops them after it. */
export async function withSystems(
  { context, standingAt }: PaymentSetup,
  kind: QueueKind,
  run: (services: Record<SystemName, PaymentService>) => Promise<void>,
): Promise<void> {
  const services = {
    product: await startProductService(context, kind, { SANDBOX_LEDGER: 'false' }),
    reference: await startReferenceService(context, kind),
    ledger: await startProductService(context, kind),
    standing: await startProductService(context, kind, { SANDBOX_LEDGER: 'false' }, standingAt),
  };
  await run(services);
  for (const service of Object.values(services)) await service.stop();
}

/** Compares a figure of the product, or of the product with the sandbox's ledger, with the reference design. */
export const againstReference =
  <Figures>({ product, reference, ledger }: Record<SystemName, Figures[]>) =>
  (label: string, figure: (figures: Figures) => number, system: 'product' | 'ledger' = 'product'): Comparison => ({
    label: system === 'ledger' ? `${label}, with the sandbox's ledger` : label,
    samples: (system === 'ledger' ? ledger : product).map(figure),
    baseline: { name: 'reference design', samples: reference.map(figure) },
  });

/** Compares a figure of the product with standing endpoints with the product without. */
export const againstOwnAddresses =
  <Figures>({ product, standing }: Record<SystemName, Figures[]>) =>
  (label: string, figure: (figures: Figures) => number): Comparison => ({
    label: `${label}, with a standing endpoint per shop`,
    samples: standing.map(figure),
    baseline: { name: 'without standing endpoints', samples: product.map(figure) },
  });
