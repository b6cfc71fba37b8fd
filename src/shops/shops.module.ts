import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit-log.service.js';
import { ProvidersModule } from '../providers/providers.module.js';
import { ReencryptionService } from './reencryption.service.js';
import { ShopOutcomesService } from './shop-outcomes.service.js';
import { ProviderAccounts } from './provider-accounts.service.js';
import { ShopAccountsJob } from './shop-accounts.job.js';
import { ShopCredentials } from './shop-credentials.service.js';
import { ShopSecretsService } from './shop-secrets.service.js';
import { ShopEntity } from './shop.entity.js';
import { ShopHealthMetrics, ShopStatsService } from './shop-stats.service.js';
import { ShopsService } from './shops.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([ShopEntity]), ProvidersModule, AuditModule],
  providers: [
    ShopsService,
    ShopCredentials,
    ProviderAccounts,
    ShopAccountsJob,
    ShopSecretsService,
    ShopStatsService,
    ShopOutcomesService,
    ReencryptionService,
    ShopHealthMetrics,
  ],
  exports: [
    AuditModule,
    ShopsService,
    ShopCredentials,
    ShopSecretsService,
    ShopStatsService,
    ShopOutcomesService,
    ShopAccountsJob,
    ReencryptionService,
  ],
})
export class ShopsModule {}
