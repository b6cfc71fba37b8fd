import { Injectable } from '@nestjs/common';
import { DatabaseGauges } from '../../platform/database/database-gauges.js';
import { COUNT_DISPUTES } from './dispute.queries.js';

/** Until evidence is due soon: the time of the alert DisputeEvidenceDue. */
const DUE_SOON_HOURS = 48;

interface DisputeCounts {
  open: number;
  under_review: number;
  due: number;
}

/** Gauges of disputes, read from the rows. */
@Injectable()
export class DisputeBacklog {
  constructor(rows: DatabaseGauges) {
    rows.add<DisputeCounts>(
      COUNT_DISPUTES,
      [
        {
          name: 'disputes_unfinished',
          help: 'Disputes that are open or under review',
          labels: { status: ['open', 'under_review'] },
          value: ([row]) => [
            { labels: { status: 'open' }, value: row!.open },
            { labels: { status: 'under_review' }, value: row!.under_review },
          ],
        },
        {
          name: 'disputes_evidence_due',
          help: `Open disputes whose evidence is due within ${DUE_SOON_HOURS} hours`,
          value: ([row]) => row!.due,
        },
      ],
      () => [DUE_SOON_HOURS],
    );
  }
}
