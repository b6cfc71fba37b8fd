import { useSession } from '../../api/session';
import { Card } from '../../ui/card';
import { Code, CopyButton } from '../../ui/values';
import { snippets } from './snippets';

/** Code examples to copy. */
export function SnippetsCard() {
  const { client_id: clientId } = useSession();
  return (
    <Card title="Code examples">
      <div className="snippets">
        {snippets(location.origin, clientId).map(({ title, text }) => (
          <section key={title} className="stack" aria-label={title}>
            <div className="row">
              <h3>{title}</h3>
              <CopyButton text={text} />
            </div>
            <Code value={text} />
          </section>
        ))}
      </div>
    </Card>
  );
}
