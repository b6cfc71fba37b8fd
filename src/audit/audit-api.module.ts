import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller.js';
import { AuditTrailService } from './audit-trail.service.js';

@Module({ controllers: [AuditController], providers: [AuditTrailService] })
export class AuditApiModule {}
