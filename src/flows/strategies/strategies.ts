import type { StrategyName } from '../flow-definition.js';
import { roundRobin } from './round-robin.js';
import type { Strategy } from './strategy.js';

/** Every strategy that a flow can have. */
export const STRATEGIES: Readonly<Record<StrategyName, Strategy>> = {
  round_robin: roundRobin,
};
