import { Database } from '../../../src/platform/database/database.js';
import { DueWork, type WorkKind } from '../../../src/platform/due-work/due-work.js';
import type { ScheduledJob, SharedSchedule } from '../../../src/platform/workers/shared-schedule.js';
import type { TestApi } from './api-app.js';

/** Does the due work of a kind, as a worker next to the API. */
export async function doDueWork(api: TestApi, work: WorkKind): Promise<void> {
  let job: ScheduledJob | undefined;
  const schedule = { add: (added: ScheduledJob) => (job = added) } as unknown as SharedSchedule;
  new DueWork(api.get(Database), schedule).register(work);
  await job!.run(new AbortController().signal);
}
