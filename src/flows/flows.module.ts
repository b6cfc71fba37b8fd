import { Module } from '@nestjs/common';
import { ShopsModule } from '../shops/shops.module.js';
import { FlowCountersService } from './flow-counters.service.js';
import { FlowsService } from './flows.service.js';

@Module({
  imports: [ShopsModule],
  providers: [FlowsService, FlowCountersService],
  exports: [FlowsService],
})
export class FlowsModule {}
