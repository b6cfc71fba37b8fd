import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module.js';
import { ApiClientEntity, MerchantEntity } from './api-client.entity.js';
import { ApiClientsService } from './api-clients.service.js';
import { MerchantsService } from './merchants.service.js';

/** Merchants and their API clients, without any HTTP: what the command line needs. */
@Module({
  imports: [TypeOrmModule.forFeature([MerchantEntity, ApiClientEntity]), AuditModule],
  providers: [MerchantsService, ApiClientsService],
  exports: [MerchantsService, ApiClientsService],
})
export class ApiClientsModule {}
