import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit-log.service.js';
import { CpuSchedulerModule } from '../platform/cpu-scheduler/cpu-scheduler.service.js';
import { ShopsModule } from '../shops/shops.module.js';
import { BacktestController } from './backtest/backtest.controller.js';
import { BacktestService } from './backtest/backtest.service.js';
import { FlowsModule } from './flows.module.js';
import { VersionApprovalsService } from './management/version-approvals.service.js';
import { FlowsController } from './management/flows.controller.js';
import { FlowsService } from './management/flows.service.js';
import { FlowVersionsController } from './management/versions.controller.js';
import { FlowVersionsService } from './management/versions.service.js';
import { FlowRulesController } from './rules/rules.controller.js';
import { FlowRulesService } from './rules/rules.service.js';
import { ProposalsController } from './proposals/proposals.controller.js';
import { ProposalsService } from './proposals/proposals.service.js';
import { RolloutAborts } from './rollouts/rollout-aborts.service.js';
import { RolloutsController } from './rollouts/rollouts.controller.js';
import { RolloutCourse } from './rollouts/rollout-course.service.js';
import { RolloutsService } from './rollouts/rollouts.service.js';
import { FlowSimulationController } from './simulation/simulation.controller.js';
import { FlowSimulationService } from './simulation/simulation.service.js';

/** The API of flows: management, simulation, backtests and the use of rules. */
@Module({
  imports: [AuditModule, CpuSchedulerModule, FlowsModule, ShopsModule],
  controllers: [
    FlowsController,
    FlowSimulationController,
    FlowVersionsController,
    BacktestController,
    FlowRulesController,
    RolloutsController,
    ProposalsController,
  ],
  providers: [
    FlowsService,
    VersionApprovalsService,
    FlowVersionsService,
    FlowSimulationService,
    BacktestService,
    FlowRulesService,
    RolloutCourse,
    RolloutsService,
    ProposalsService,
    RolloutAborts,
  ],
})
export class FlowsApiModule {}
