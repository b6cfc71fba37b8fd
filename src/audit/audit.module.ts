import { Module } from '@nestjs/common';
import { AuditLogService } from './audit-log.service.js';

/** For the features whose changes are audited. */
@Module({ providers: [AuditLogService], exports: [AuditLogService] })
export class AuditModule {}
