import { DashboardRefused, type SandboxProvider } from '@payment-orchestrator/provider-sandbox';
import { Problem } from '../../shared/problem.js';

/** The accounts of shops at their providers: `shops` imports the providers, so the API's root module connects its service. */
export interface ShopAccounts {
  /** The account with decrypted credentials; `null`: no such shop. */
  providerAccount(shopId: number): Promise<{ credentials: Record<string, unknown> } | null>;
}

type Dashboard = ReturnType<SandboxProvider['dashboard']>;

/** Changes that people make at the sandbox; its refusals are problems of this API. */
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
