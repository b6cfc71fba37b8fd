import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { FairWorkModule } from '../platform/fair-work/fair-work.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { FlowCountersService } from './flow-counters.service.js';
import { FlowLoaderService } from './flow-loader.service.js';
import { FlowRoutingService } from './flow-routing.service.js';
import { FlowSimulationService } from './flow-simulation.service.js';
import { FlowVersionsService } from './flow-versions.service.js';
import { FlowsService } from './flows.service.js';
import { FlowReplayService } from './replay.service.js';

@Module({
  imports: [ShopsModule, AuditModule, FairWorkModule],
  providers: [
    FlowsService,
    FlowVersionsService,
    FlowLoaderService,
    FlowRoutingService,
    FlowSimulationService,
    FlowReplayService,
    FlowCountersService,
  ],
  exports: [
    FlowsService,
    FlowVersionsService,
    FlowLoaderService,
    FlowRoutingService,
    FlowSimulationService,
    FlowReplayService,
  ],
})
export class FlowsModule {}
