import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/audit.module.js';
import { FairWorkModule } from '../platform/fair-work/fair-work.service.js';
import { ShopsModule } from '../shops/shops.module.js';
import { FlowCountersService } from './routing/counters.service.js';
import { FlowLoaderService } from './routing/loader.service.js';
import { FlowRoutingService } from './routing/routing.service.js';
import { FlowSimulationService } from './simulation/simulation.service.js';
import { FlowVersionsService } from './management/versions.service.js';
import { FlowsService } from './management/flows.service.js';
import { FlowReplayService } from './backtest/backtest.service.js';

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
