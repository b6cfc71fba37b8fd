import { EmptyState } from './empty-state';

/** In place of what the session may not see. */
export const NeedsScope = ({ scope }: { scope: string }) => (
  <EmptyState title={`This client may not see this`}>
    <p>
      It takes the scope <code>{scope}</code>. Sign in with a client that has it, or make one with{' '}
      <code>npm run cli -- client:create</code>.
    </p>
  </EmptyState>
);
