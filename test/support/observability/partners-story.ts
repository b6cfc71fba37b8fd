/** Alerts that the metrics of one API and one worker show when merchants' receivers and providers misbehave. */
export const PROVOKED_BY_PARTNERS = [
  'DisputeEvidenceDue',
  'ProviderAlarmOpen',
  'ProviderNotAnswering',
  'ProviderNotificationsUnmatched',
  'ProviderOperationsOpen',
  'RolloutAborted',
  'WebhookAttemptsFailing',
  'WebhookEndpointFailing',
  'WebhookLeaseChurn',
];

/** A rollout whose candidate has declined all payments. */
export const CROSSED_GUARDRAIL = `WITH rollout AS (
    INSERT INTO flow_rollouts (flow_id, merchant_id, version, base_version, percent, key, max_drop_points, min_payments,
      confidence, started_by)
    SELECT id, merchant_id, active_version + 1, active_version, 50, 'payment', 5, 100, 0.95, 'test' FROM flows
    ORDER BY id LIMIT 1 RETURNING id
  )
  INSERT INTO flow_rollout_counts (rollout_id, stage, candidate, cluster, slot, payments, approved, declined)
  SELECT id, 1, is_candidate, cluster, 0, 5, CASE WHEN is_candidate THEN 0 ELSE 5 END, CASE WHEN is_candidate THEN 5 ELSE 0 END
  FROM rollout, generate_series(0, 99) AS cluster, unnest(ARRAY[true, false]) AS is_candidate`;
