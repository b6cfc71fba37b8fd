import { Module } from '@nestjs/common';
import { ShopsRoutes } from './endpoint/secrets/shop-secrets.controller.js';
import { WebhookKeysController } from './endpoint/secrets/webhook-keys.controller.js';
import { WebhookKeysService } from './endpoint/secrets/webhook-keys.service.js';
import { ReceiversModule } from './receivers.module.js';

/** The secrets and keys of shops' default endpoints. */
@Module({
  imports: [ReceiversModule],
  controllers: [ShopsRoutes, WebhookKeysController],
  providers: [WebhookKeysService],
})
export class ReceiversApiModule {}
