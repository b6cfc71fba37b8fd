import { Module } from '@nestjs/common';
import { MaintenanceModule } from '../platform/maintenance/maintenance-jobs.js';
import { AuditRetention } from './audit-retention.job.js';

@Module({ imports: [MaintenanceModule], providers: [AuditRetention] })
export class AuditWorkerModule {}
