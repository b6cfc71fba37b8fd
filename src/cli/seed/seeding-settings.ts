/** Settings of the service that seeds: its own ports, no limits for its own requests, and receivers on this machine. */
export const SEEDING_SETTINGS = {
  ...{ PORT: '0', WORKER_PORT: '0', MANAGEMENT_PORT: '', METRICS_PORT: '', HOST: '127.0.0.1' },
  ...{ RATE_LIMIT_PER_SECOND: '0', NOTIFICATION_RATE_LIMIT_PER_SECOND: '0', FLOW_ACTIVATION_APPROVALS: '0' },
  ...{ WEBHOOK_ALLOWED_NETWORKS: '127.0.0.0/8', WEBHOOK_REQUIRE_HTTPS: 'false', WEBHOOK_RETRY_DELAYS_MS: '' },
  ...{ DATABASE_REPLICA_URL: '', SANDBOX_NOTIFICATION_URL: '', SANDBOX_LEDGER: 'true', PROVIDER_TIMEOUT_MS: '2000' },
  LOG_LEVEL: 'fatal',
};
