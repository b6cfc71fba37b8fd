import { Page } from '../../ui/page';

export const FlowsPage = () => <Page title="Flows">…</Page>;
