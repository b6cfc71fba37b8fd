import { useState } from 'react';
import { useCan, useSession } from '../../api/session';
import { useList } from '../../api/use-list';
import { Button } from '../../ui/button';
import { Card } from '../../ui/card';
import { EmptyState } from '../../ui/empty-state';
import { List } from '../../ui/list';
import { MissingRight } from '../../ui/missing-right';
import { Page } from '../../ui/page';
import { useDialog } from '../../ui/use-dialog';
import { WithScope } from '../../ui/with-scope';
import { AddDialog } from './add-dialog';
import { ClientActions } from './client-actions';
import { CLIENT_COLUMNS } from './client-columns';
import type { Client } from './clients';
import './people.css';

export function PeoplePage() {
  const mayGive = useCan('clients:write');
  const adding = useDialog();
  const add = (
    <Button variant="primary" onClick={() => adding.open()}>
      Add …
    </Button>
  );
  return (
    <WithScope scope="audit:read" title="People">
      <Page
        title="People"
        description={
          <>
            Who signs in here, which programs use the API, and what each may do.{' '}
            {!mayGive && <MissingRight scope="clients:write" />}
          </>
        }
        actions={mayGive && add}
      >
        <Clients mayGive={mayGive} />
        {adding.isOpen && <AddDialog onClose={adding.close} />}
      </Page>
    </WithScope>
  );
}

function Clients({ mayGive }: { mayGive: boolean }) {
  const [showsRevoked, setShowsRevoked] = useState(false);
  const { client_id: own } = useSession();
  const list = useList('/clients');
  const revoked = list.rows?.filter(({ revoked_at: at }) => at !== null).length ?? 0;
  const rows = showsRevoked ? list.rows : list.rows?.filter(({ revoked_at: at }) => at === null);
  const actions = { title: 'Actions', cell: (client: Client) => <ClientActions client={client} /> };
  const toggle = revoked > 0 && (
    <label className="row">
      <input type="checkbox" checked={showsRevoked} onChange={({ target }) => setShowsRevoked(target.checked)} />
      Show revoked ({revoked})
    </label>
  );
  return (
    <Card title="People and programs" isFlush actions={toggle}>
      <List
        list={{ ...list, rows }}
        caption="People and programs, newest first"
        columns={mayGive ? [...CLIENT_COLUMNS(own), actions] : CLIENT_COLUMNS(own)}
        rowKey={({ client_id: id }) => id}
        empty={
          <EmptyState title="No people and programs">
            <p>People who sign in with an identity provider are not listed: its groups give them their rights.</p>
          </EmptyState>
        }
      />
    </Card>
  );
}
