import { DashboardRefused, type SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import { Problem } from '../../shared/problem.js';
import type { ShopAccounts } from '../shop-accounts.js';

type Dashboard = ReturnType<SandboxProvider['dashboard']>;

/** What people do at the sandbox; its refusals are problems of this API. */
export class SandboxDashboard {
  private readonly dashboard: Dashboard;

  constructor(sandbox: SandboxProvider, accounts: ShopAccounts) {
    this.dashboard = sandbox.dashboard(async (shopId) => (await accounts.providerAccount(shopId))?.credentials ?? null);
  }

  async of<Result>(change: (dashboard: Dashboard) => Promise<Result>): Promise<Result> {
    try {
      return await change(this.dashboard);
    } catch (error) {
      throw error instanceof DashboardRefused ? new Problem(error.code, error.options) : error;
    }
  }
}
