import { Module } from '@nestjs/common';
import { MaintenanceModule } from '../platform/maintenance/maintenance-jobs.js';
import { RolloutCompaction } from './rollouts/compaction.job.js';
import { RuleHitsCompaction } from './rules/rule-hits.job.js';

/** The jobs of rollouts and of the hits of rules. */
@Module({
  imports: [MaintenanceModule],
  providers: [RolloutCompaction, RuleHitsCompaction],
})
export class FlowsWorkerModule {}
