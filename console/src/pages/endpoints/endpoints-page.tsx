import { Page } from '../../ui/page';

export const EndpointsPage = () => <Page title="Endpoints">…</Page>;
