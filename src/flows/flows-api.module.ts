import { Module } from '@nestjs/common';
import { FlowSimulationController } from './simulation/simulation.controller.js';
import { FlowVersionsController } from './management/versions.controller.js';
import { FlowsController } from './management/flows.controller.js';
import { FlowsModule } from './flows.module.js';
import { FlowReplayController } from './backtest/backtest.controller.js';

@Module({
  imports: [FlowsModule],
  controllers: [FlowsController, FlowSimulationController, FlowVersionsController, FlowReplayController],
})
export class FlowsApiModule {}
