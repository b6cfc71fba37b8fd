// Preloaded into a service (NODE_OPTIONS=--import=…): what was read of rows for the metrics counts for a tenth of a second
// instead of three, and endpoints that are failing are looked for several times a second instead of every five. BUILD: the
// folder of the build that is tested.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const load = (path) => import(pathToFileURL(join(process.env.BUILD, path)).href);

const { DatabaseGauges } = await load('platform/database/database-gauges.js');
Object.defineProperty(DatabaseGauges.prototype, 'freshMs', { value: 100 });

const { MaintenanceJobs } = await load('platform/maintenance/maintenance-jobs.js');
const { add } = MaintenanceJobs.prototype;
MaintenanceJobs.prototype.add = function (job) {
  return add.call(this, job.name === 'failing endpoints' ? { ...job, restMs: 200 } : job);
};
