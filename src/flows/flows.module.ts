import { Module } from '@nestjs/common';
import { ShopsModule } from '../shops/shops.module.js';
import { FlowCountersService } from './flow-counters.service.js';
import { FlowVersionsService } from './flow-versions.service.js';
import { FlowsService } from './flows.service.js';

@Module({
  imports: [ShopsModule],
  providers: [FlowsService, FlowVersionsService, FlowCountersService],
  exports: [FlowsService],
})
export class FlowsModule {}
