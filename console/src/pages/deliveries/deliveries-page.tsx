import { Page } from '../../ui/page';

export const DeliveriesPage = () => <Page title="Deliveries">…</Page>;
