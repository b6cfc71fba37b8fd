import { Page } from '../../ui/page';

export const PaymentsPage = () => <Page title="Payments">…</Page>;
