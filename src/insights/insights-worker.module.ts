import { Module } from '@nestjs/common';
import { MaintenanceModule } from '../platform/maintenance/maintenance-jobs.js';
import { WorkersModule } from '../platform/workers/shared-schedule.js';
import { ApprovalCounting } from './approvals/approval-counting.js';
import { ApprovalsService } from './approvals/approvals.service.js';
import { FallWatch } from './falls/fall-watch.job.js';

@Module({ imports: [MaintenanceModule, WorkersModule], providers: [ApprovalCounting, ApprovalsService, FallWatch] })
export class InsightsWorkerModule {}
