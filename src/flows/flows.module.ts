import { Module } from '@nestjs/common';
import { ShopsModule } from '../shops/shops.module.js';
import { FlowCountersService } from './routing/counters.service.js';
import { FlowLoaderService } from './routing/loader.service.js';
import { SegmentCellsService } from './routing/segment-cells.service.js';
import { FlowRoutingService } from './routing/routing.service.js';

/** Routes payments. */
@Module({
  imports: [ShopsModule],
  providers: [FlowCountersService, FlowLoaderService, FlowRoutingService, SegmentCellsService],
  exports: [FlowLoaderService, FlowRoutingService],
})
export class FlowsModule {}
