import { Module } from '@nestjs/common';
import { ExpiryService } from './expiry.service.js';
import { PaymentsModule } from './payments.module.js';

@Module({ imports: [PaymentsModule], providers: [ExpiryService] })
export class PaymentsWorkerModule {}
