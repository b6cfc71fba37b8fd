/** The process runs. */
export class LivenessDto {
  /** @example ok */
  status: 'ok';
}

/** The dependencies of the process, and whether they respond. */
export class ReadinessDto {
  /**
   * `degraded`: the queue is down, and the process continues without it. `shutting_down` and `unavailable` are answered
   * with 503.
   * @example ok
   */
  status: 'ok' | 'degraded' | 'shutting_down' | 'unavailable';

  /** `up` or `down` per dependency. @example { "database": "up", "queue": "up" } */
  checks: Record<string, string>;
}
