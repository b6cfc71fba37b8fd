import { Module } from '@nestjs/common';
import { FlowsController } from './flows.controller.js';
import { FlowsModule } from './flows.module.js';

@Module({ imports: [FlowsModule], controllers: [FlowsController] })
export class FlowsApiModule {}
