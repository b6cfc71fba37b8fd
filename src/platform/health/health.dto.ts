/** The process runs. */
export class LivenessDto {
  /** @example ok */
  status: 'ok';
}

/** What the process needs, and whether it answers. */
export class ReadinessDto {
  /** @example ok */
  status: 'ok' | 'shutting_down' | 'unavailable';

  /**
   * `up` or `down` per dependency.
   * @example { "database": "up", "queue": "up" }
   */
  checks: Record<string, string>;
}
