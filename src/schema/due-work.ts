/** A due time in a column of its subject, which a trigger copies into `due_work`. `NULL`: there is no work. */
export interface CopiedDueTime {
  /** The trigger's function. */
  trigger: string;
  /** The kind of work. */
  kind: string;
  table: string;
  column: string;
  subject: string;
  part: string;
  /** Whether new rows may have the time. */
  isInserted?: boolean;
}

/** The statements that create the triggers of a copied due time. */
export function copyDueTime(copied: CopiedDueTime): string[] {
  const { trigger, kind, table, column, subject, part, isInserted = false } = copied;
  const work = `'${kind}', NEW.${subject}, ${part === '0' ? '0' : `NEW.${part}`}`;
  const each = `FOR EACH ROW WHEN`;
  return [
    `CREATE FUNCTION ${trigger}() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.${column} IS NULL THEN
          DELETE FROM due_work WHERE (kind, subject_id, part) = (${work});
        ELSE
          INSERT INTO due_work (kind, subject_id, part, due_at) VALUES (${work}, NEW.${column})
          ON CONFLICT (kind, subject_id, part) DO UPDATE SET due_at = excluded.due_at;
        END IF;
        RETURN NULL;
      END $$`,
    ...(isInserted
      ? [
          `CREATE TRIGGER ${table}_${trigger}_of_new AFTER INSERT ON ${table}
            ${each} (NEW.${column} IS NOT NULL) EXECUTE FUNCTION ${trigger}()`,
        ]
      : []),
    `CREATE TRIGGER ${table}_${trigger} AFTER UPDATE OF ${column} ON ${table}
      ${each} (OLD.${column} IS DISTINCT FROM NEW.${column}) EXECUTE FUNCTION ${trigger}()`,
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
  ...copyDueTime(ACCOUNT_QUESTION),
];
