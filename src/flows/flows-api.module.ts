import { Module } from '@nestjs/common';
import { FlowVersionsController } from './flow-versions.controller.js';
import { FlowsController } from './flows.controller.js';
import { FlowsModule } from './flows.module.js';

@Module({ imports: [FlowsModule], controllers: [FlowsController, FlowVersionsController] })
export class FlowsApiModule {}
