/** What is not settled; the predicate of the index `provider_operations_open`. */
export const IS_OPEN = `state IN ('open', 'pending', 'unknown')`;

/** What a charge's operation is when its attempt came out so. */
const STATE_AFTER = (outcome: string): string =>
  `CASE ${outcome} WHEN 'approved' THEN 'confirmed' WHEN 'processing' THEN 'pending' WHEN 'unknown' THEN 'unknown' ELSE 'refused' END`;

/**
 * A CTE that records what came of charges, from a relation with `id` of the payment, `attempt`, `attempt_outcome`,
 * `decline_code` and `updated_at`. What is not settled by it is looked at again when it was due anyway.
 */
export const settleChargesFrom = (relation: string): string =>
  `charges_settled AS (
      UPDATE provider_operations o SET state = ${STATE_AFTER('c.attempt_outcome')}, last_answer = c.attempt_outcome,
        reason = c.decline_code, updated_at = c.updated_at,
        next_try_at = CASE WHEN c.attempt_outcome IN ('processing', 'unknown') THEN o.next_try_at END,
        sealed_payment_token = CASE WHEN c.attempt_outcome IN ('processing', 'unknown') THEN o.sealed_payment_token END
      FROM ${relation} c
      WHERE o.payment_id = ANY (ARRAY(SELECT id FROM ${relation} WHERE attempt IS NOT NULL)) AND o.payment_id = c.id
        AND o.attempt = c.attempt AND o.kind = 'charge' AND o.${IS_OPEN}
        AND NOT (o.state = 'pending' AND c.attempt_outcome = 'unknown')
    )`;
