/** A due time of its subject, which a trigger copies into `due_work`. `NULL`: there is no work. */
export interface CopiedDueTime {
  /** The trigger's function. */
  trigger: string;
  /** The kind of work. */
  kind: string;
  table: string;
  /** The column that has the time, or from which it follows. */
  column: string;
  /** SQL of the time from a row; default: the column. */
  dueAt?: (row: string) => string;
  /** A further column from which it follows. */
  further?: string;
  subject: string;
  part: string;
  /** Whether new rows may have the time. */
  isInserted?: boolean;
}

/** The statements that create the triggers of a copied due time. */
export function copyDueTime(copied: CopiedDueTime): string[] {
  const { trigger, kind, table, column, further, subject, part, isInserted = false } = copied;
  const { dueAt = (row) => `${row}.${column}` } = copied;
  const work = `'${kind}', NEW.${subject}, ${part === '0' ? '0' : `NEW.${part}`}`;
  const each = `FOR EACH ROW WHEN`;
  return [
    `CREATE FUNCTION ${trigger}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF ${dueAt('NEW')} IS NULL THEN
          DELETE FROM due_work WHERE (kind, subject_id, part) = (${work});
        ELSE
          INSERT INTO due_work (kind, subject_id, part, due_at) VALUES (${work}, ${dueAt('NEW')})
          ON CONFLICT (kind, subject_id, part) DO UPDATE SET due_at = excluded.due_at;
        END IF;
        RETURN NULL;
      END $$`,
    ...(isInserted
      ? [
          `CREATE TRIGGER ${table}_${trigger}_of_new AFTER INSERT ON ${table}
            ${each} (${dueAt('NEW')} IS NOT NULL) EXECUTE FUNCTION ${trigger}()`,
        ]
      : []),
    `CREATE TRIGGER ${table}_${trigger} AFTER UPDATE OF ${[column, ...(further ? [further] : [])].join(', ')} ON ${table}
      ${each} (${dueAt('OLD')} IS DISTINCT FROM ${dueAt('NEW')}) EXECUTE FUNCTION ${trigger}()`,
  ];
}

/** The lapse of an authorisation is planned by whichever statement writes the time on the payment. */
export const LAPSE: CopiedDueTime = {
  trigger: 'plan_lapse',
  kind: 'authorization',
  table: 'payments',
  column: 'capture_before',
  subject: 'id',
  part: '0',
};

/** `authorization.lapsing` comes a day before. */
export const LAPSE_NOTICE: CopiedDueTime = {
  ...LAPSE,
  trigger: 'plan_lapse_notice',
  kind: 'lapse_notice',
  dueAt: (row) => `${row}.capture_before - interval '24 hours'`,
};

/** `dispute.due` comes two days before evidence is due. */
export const EVIDENCE_NOTICE: CopiedDueTime = {
  trigger: 'plan_evidence_notice',
  kind: 'evidence_notice',
  table: 'disputes',
  column: 'evidence_due_by',
  further: 'status',
  // in brackets, because PL/pgSQL ends a condition at the first THEN
  dueAt: (row) => `(CASE ${row}.status WHEN 'open' THEN ${row}.evidence_due_by - interval '48 hours' END)`,
  subject: 'id',
  part: '0',
  isInserted: true,
};

/** A shop is asked for its account until it is known; the column's default plans the first question. */
export const ACCOUNT_QUESTION: CopiedDueTime = {
  trigger: 'plan_account_question',
  kind: 'shop_account',
  table: 'shops',
  column: 'account_asked_next_at',
  subject: 'id',
  part: '0',
  isInserted: true,
};

/** What is due when (docs/decisions/091-due-work.md). */
export const DUE_WORK = [
  // rows live for a second; an update moves due_at, which is indexed, so free space in pages would help none
  `CREATE TABLE due_work (
    kind text NOT NULL,
    subject_id bigint NOT NULL,
    part bigint NOT NULL DEFAULT 0,
    owner_id bigint,
    due_at timestamptz(3) NOT NULL,
    PRIMARY KEY (kind, subject_id, part)
  ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0)`,
  // Without work that no worker does. So a statement that ends or moves the work of a subject cannot read by it: planned
  // while there is hardly any work, and kept, it read the work of all open operations
  `CREATE INDEX due_work_due_at ON due_work (kind, due_at) WHERE due_at < 'infinity'`,
  'CREATE INDEX due_work_owner_id ON due_work (owner_id, kind) WHERE owner_id IS NOT NULL',
  ...copyDueTime(LAPSE),
  ...copyDueTime(LAPSE_NOTICE),
  ...copyDueTime(EVIDENCE_NOTICE),
  ...copyDueTime(ACCOUNT_QUESTION),
];
