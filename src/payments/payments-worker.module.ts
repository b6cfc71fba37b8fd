import { Module } from '@nestjs/common';
import { HousekeepingModule } from '../platform/housekeeping/housekeeping.module.js';
import { ShopsModule } from '../shops/shops.module.js';
import { ExpiryService } from './expiry.service.js';
import { PaymentPruning } from './payment-pruning.service.js';
import { PaymentsModule } from './payments.module.js';

@Module({ imports: [HousekeepingModule, PaymentsModule, ShopsModule], providers: [ExpiryService, PaymentPruning] })
export class PaymentsWorkerModule {}
