import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { ShopAccounts } from '../../shop-accounts.js';
import { SandboxModule } from '../sandbox.module.js';
import { SandboxDashboardController } from './dashboard.controller.js';
import { DashboardChanges } from './dashboard-changes.js';
import { SandboxDisputes } from './sandbox-disputes.js';

/** The sandbox's dashboard. `shops`: the module that exports `accounts`, which reads the shops' credentials. */
@Module({})
export class SandboxDashboardApiModule {
  static for(shops: Type, accounts: Type<ShopAccounts>): DynamicModule {
    return {
      module: SandboxDashboardApiModule,
      imports: [SandboxModule, shops],
      controllers: [SandboxDashboardController],
      providers: [DashboardChanges, SandboxDisputes, { provide: ShopAccounts, useExisting: accounts }],
    };
  }
}
