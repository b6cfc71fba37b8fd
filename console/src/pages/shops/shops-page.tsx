import { Page } from '../../ui/page';

export const ShopsPage = () => <Page title="Shops">…</Page>;
