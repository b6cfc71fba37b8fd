import { Page } from '../../ui/page';

export const AuditPage = () => <Page title="Audit">…</Page>;
