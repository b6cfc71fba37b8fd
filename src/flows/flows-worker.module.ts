import { Module } from '@nestjs/common';
import { MaintenanceModule } from '../platform/maintenance/maintenance-jobs.js';
import { SharedSchedule, WorkersModule } from '../platform/workers/shared-schedule.js';
import { AuditModule } from '../audit/audit-log.service.js';
import { RolloutGuardrails } from './rollouts/guardrail.job.js';
import { RolloutAborts } from './rollouts/rollout-aborts.service.js';

/** The jobs of rollouts. */
@Module({
  imports: [AuditModule, MaintenanceModule, WorkersModule],
  providers: [RolloutAborts, RolloutGuardrails],
})
export class FlowsWorkerModule {
  constructor(schedule: SharedSchedule, { job }: RolloutGuardrails) {
    schedule.add(job);
  }
}
