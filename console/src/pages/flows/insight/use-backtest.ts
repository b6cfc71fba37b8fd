import type { Schema } from '@payment-orchestrator/client';
import { useState } from 'react';
import { api } from '../../../api/client';
import type { Definition } from '../model/form';
import { useLive } from './use-live';

const LIMIT = 10_000;

/** Routes the flow's last payments with the definition, again after each change of it. Nothing is stored. */
export function useBacktest(flowId: number, definition: Definition, isEnabled: boolean) {
  const [limit, setLimit] = useState(LIMIT);
  const live = useLive(isEnabled ? { flowId, definition, limit } : undefined, backtest);
  return { limit, setLimit, live };
}

interface Request {
  flowId: number;
  definition: Definition;
  limit: number;
}

async function backtest(
  { flowId: id, definition, limit }: Request,
  signal: AbortSignal,
): Promise<Schema<'ReplayResult'>> {
  const init = { params: { path: { id } }, body: { definition, limit, seed: 1 }, signal };
  return (await api.post('/flows/{id}/backtest', init)).data;
}
