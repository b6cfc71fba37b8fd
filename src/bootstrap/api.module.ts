import { type DynamicModule, Module } from '@nestjs/common';
import { ReadSlotsModule } from '../access/read-slots.js';
import { AuditApiModule } from '../audit/audit.controller.js';
import { ApiClientsApiModule } from '../auth/clients/clients.controller.js';
import { AuthModule } from '../auth/auth.module.js';
import { ConsoleApiModule } from '../console/console-api.module.js';
import { EventsApiModule } from '../events/events.controller.js';
import { FlowsApiModule } from '../flows/flows-api.module.js';
import { ReportsApiModule } from '../insights/reports/reports.controller.js';
import { InsightsApiModule } from '../insights/insights-api.module.js';
import { ShopReportsApiModule } from '../insights/shop-reports/shop-reports.controller.js';
import { PaymentsApiModule } from '../payments/payments-api.module.js';
import type { Config } from '../platform/config/config.js';
import { RateLimitModule } from '../platform/rate-limit/rate-limits.service.js';
import { platformModules, replicaSettings } from '../platform/platform-modules.js';
import { ProvidersApiModule } from '../providers/providers.controller.js';
import { ConnectorsApiModule } from '../providers/connectors-api.module.js';
import { SandboxApiModule } from '../providers/sandbox/sandbox-api.module.js';
import { ShopsApiModule } from '../shops/api/shops.controller.js';
import { ShopsModule } from '../shops/shops.module.js';
import { ShopsService } from '../shops/shops.service.js';
import { WebhooksApiModule } from '../webhooks/webhooks-api.module.js';

/** The API process: every feature with its controllers, behind the guards of `AuthModule`. */
@Module({})
export class ApiModule {
  static forRoot(config: Config, databaseUrl: string): DynamicModule {
    return {
      module: ApiModule,
      imports: [
        ...platformModules(config, databaseUrl, { replica: replicaSettings(config) }),
        RateLimitModule.forRoot({ redis: config.redis, databaseUrl: config.databaseDirectUrl ?? databaseUrl }),
        ReadSlotsModule,
        ApiClientsApiModule,
        AuditApiModule,
        AuthModule,
        ...(config.console.isServed ? [ConsoleApiModule] : []),
        EventsApiModule,
        FlowsApiModule,
        InsightsApiModule,
        PaymentsApiModule,
        ReportsApiModule,
        ShopReportsApiModule,
        ProvidersApiModule,
        ConnectorsApiModule,
        SandboxApiModule.for(ShopsModule, ShopsService),
        ShopsApiModule,
        WebhooksApiModule,
      ],
    };
  }
}
