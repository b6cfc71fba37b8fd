import { Module } from '@nestjs/common';
import { FlowSimulationController } from './flow-simulation.controller.js';
import { FlowVersionsController } from './flow-versions.controller.js';
import { FlowsController } from './flows.controller.js';
import { FlowsModule } from './flows.module.js';
import { FlowReplayController } from './replay.controller.js';

@Module({
  imports: [FlowsModule],
  controllers: [FlowsController, FlowSimulationController, FlowVersionsController, FlowReplayController],
})
export class FlowsApiModule {}
