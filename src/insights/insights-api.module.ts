import { Module } from '@nestjs/common';
import { ApprovalPayments } from './approvals/approval-payments.service.js';
import { ApprovalsController } from './approvals/approvals.controller.js';
import { ApprovalsService } from './approvals/approvals.service.js';
import { InsightsController } from './overview/overview.controller.js';
import { OverviewService } from './overview/overview.service.js';
import { ToDoController } from './to-do/to-do.controller.js';
import { ToDoService } from './to-do/to-do.service.js';

@Module({
  controllers: [InsightsController, ApprovalsController, ToDoController],
  providers: [OverviewService, ToDoService, ApprovalsService, ApprovalPayments],
})
export class InsightsApiModule {}
