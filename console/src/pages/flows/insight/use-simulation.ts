import type { Schema } from '@payment-orchestrator/client';
import { useState } from 'react';
import { api } from '../../../api/client';
import type { Payment } from '../model/counterexample';
import type { Definition } from '../model/form';
import { FIRST_PAYMENT, type SimulatedPayment, simulatedPayment, simulationBody } from '../model/simulated-payment';
import { useLive } from './use-live';

interface Simulated {
  flowName: string;
  definition: Definition;
  /** Whether the definition is simulated, instead of the flow as it is, with its rollout. */
  isDraft: boolean;
  isEnabled: boolean;
}

/** Simulates a payment with the draft while the user edits both. Nothing is stored. */
export function useSimulation({ flowName, definition, isDraft, isEnabled }: Simulated) {
  const [payment, setPayment] = useState(FIRST_PAYMENT);
  const live = useLive(isEnabled ? simulationBody(flowName, definition, payment, isDraft) : undefined, simulate);
  return {
    payment,
    setPayment: (change: Partial<SimulatedPayment>) => setPayment((before) => ({ ...before, ...change })),
    show: (example: Payment) => setPayment(simulatedPayment(example)),
    live,
  };
}

async function simulate(body: Schema<'SimulateFlow'>, signal: AbortSignal): Promise<Schema<'FlowSimulation'>> {
  const answer = await api.post('/flows/simulate', { body, signal });
  // only requests with `simple` are answered with a boolean
  if (typeof answer === 'boolean') throw new Error('the simulation has no explanation');
  return answer.data;
}
