import { Module } from '@nestjs/common';
import { MaintenanceModule } from '../platform/maintenance/maintenance-jobs.js';
import { RolloutCompaction } from './rollouts/compaction.job.js';

/** The jobs of rollouts. */
@Module({
  imports: [MaintenanceModule],
  providers: [RolloutCompaction],
})
export class FlowsWorkerModule {}
