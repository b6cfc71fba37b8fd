import { PageLink } from '../../ui/page-link';
import { Page } from '../../ui/page';
import { LiveEventsCard } from './live-events-card';
import { SnippetsCard } from './snippets-card';
import { WebhookTesterCard } from './webhook-tester-card';
import './developers.css';

export const DevelopersPage = () => (
  <Page
    title="Developers"
    description={
      <>
        Live events, a webhook tester and code examples. Programs and their secrets are under{' '}
        <PageLink to="/people">People</PageLink>.
      </>
    }
    actions={
      <>
        <a className="button" href="/docs" target="_blank" rel="noreferrer">
          Swagger UI
        </a>
        <a className="button" href="/openapi.json" target="_blank" rel="noreferrer">
          openapi.json
        </a>
      </>
    }
  >
    <LiveEventsCard />
    <WebhookTesterCard />
    <SnippetsCard />
  </Page>
);
