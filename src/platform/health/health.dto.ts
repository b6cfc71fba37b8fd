/** The process runs. */
export class LivenessDto {
  /** @example ok */
  status: 'ok';
}

/** What the process needs, and whether it answers. */
export class ReadinessDto {
  /**
   * `degraded`: the queue is down and the process works on without it. With the other two it answers 503.
   * @example ok
   */
  status: 'ok' | 'degraded' | 'shutting_down' | 'unavailable';

  /**
   * `up` or `down` per dependency.
   * @example { "database": "up", "queue": "up" }
   */
  checks: Record<string, string>;
}
