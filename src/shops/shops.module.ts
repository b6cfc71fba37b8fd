import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProvidersModule } from '../providers/providers.module.js';
import { ShopSecretsService } from './shop-secrets.service.js';
import { ShopEntity } from './shop.entity.js';
import { ShopsService } from './shops.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ShopEntity]), ProvidersModule],
  providers: [ShopsService, ShopSecretsService],
  exports: [ShopsService],
})
export class ShopsModule {}
