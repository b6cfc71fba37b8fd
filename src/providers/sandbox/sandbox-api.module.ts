import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import { ProvidersModule } from '../providers.module.js';
import { SandboxDashboardController } from './dashboard.controller.js';
import { SandboxDashboard, type ShopAccounts } from './sandbox-dashboard.js';
import { SandboxController } from './sandbox.controller.js';

/** The sandbox's routes of this API. `shops`: the module that exports `accounts`, which reads the shops' credentials. */
@Module({})
export class SandboxApiModule {
  static for(shops: Type, accounts: Type<ShopAccounts>): DynamicModule {
    return {
      module: SandboxApiModule,
      imports: [ProvidersModule, shops],
      controllers: [SandboxController, SandboxDashboardController],
      providers: [
        {
          provide: SandboxDashboard,
          inject: [SandboxProvider, accounts],
          useFactory: (sandbox: SandboxProvider, of: ShopAccounts) => new SandboxDashboard(sandbox, of),
        },
      ],
    };
  }
}
