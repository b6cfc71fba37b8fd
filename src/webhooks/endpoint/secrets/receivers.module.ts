import { Module } from '@nestjs/common';
import { AuditModule } from '../../../audit/audit-log.service.js';
import { ShopsModule } from '../../../shops/shops.module.js';
import { Receivers } from './receivers.service.js';
import { EndpointRotations } from './endpoint-rotation.service.js';
import { ReceiverSecrets } from './receiver-secrets.service.js';

/** Endpoints of both kinds with their secrets. Needs no queue. */
@Module({
  imports: [AuditModule, ShopsModule],
  providers: [EndpointRotations, Receivers, ReceiverSecrets],
  exports: [AuditModule, EndpointRotations, Receivers, ReceiverSecrets, ShopsModule],
})
export class ReceiversModule {}
