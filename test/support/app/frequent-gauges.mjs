// Preloaded into a service (NODE_OPTIONS=--import=…): metrics that are read from rows are refreshed after 0.1 s instead
// of 3 s, and failing endpoints are searched several times per second instead of every 5 s. BUILD is the folder of the
// build under test.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(join(process.env.BUILD, path)).href);

const { DatabaseGauges } = await load('platform/database/database-gauges.js');
Object.defineProperty(DatabaseGauges.prototype, 'freshMs', { value: 100 });

const { MaintenanceJobs } = await load('platform/maintenance/maintenance-jobs.js');
const { add } = MaintenanceJobs.prototype;
MaintenanceJobs.prototype.add = function (job) {
  return add.call(this, job.name === 'failing endpoints' ? { ...job, everyMs: 200 } : job);
};
