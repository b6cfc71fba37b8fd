import { Page } from '../../ui/page';

export const HomePage = () => <Page title="Home">…</Page>;
