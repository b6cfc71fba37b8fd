/** Whether a shop takes part in decisions: left out after too many failures of its own, then tried with a trickle. */
export type ShopHealth = 'healthy' | 'unhealthy' | 'probing';

/** How a shop has done lately: only outcomes that it is answerable for. */
export interface ShopPerformance {
  approved: number;
  declined: number;
  /** By the shop's own fault. */
  failed: number;
  health: ShopHealth;
}
