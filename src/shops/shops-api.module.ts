import { Module } from '@nestjs/common';
import { ShopsController } from './shops.controller.js';
import { ShopsModule } from './shops.module.js';

@Module({ imports: [ShopsModule], controllers: [ShopsController] })
export class ShopsApiModule {}
