import { Page } from '../../ui/page';

export const DevelopersPage = () => <Page title="Developers">…</Page>;
