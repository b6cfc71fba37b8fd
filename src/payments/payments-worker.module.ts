import { Module } from '@nestjs/common';
import { ShopsModule } from '../shops/shops.module.js';
import { ExpiryService } from './expiry.service.js';
import { PaymentsModule } from './payments.module.js';

@Module({ imports: [PaymentsModule, ShopsModule], providers: [ExpiryService] })
export class PaymentsWorkerModule {}
