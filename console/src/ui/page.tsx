import { type ReactNode, useEffect } from 'react';

interface Props {
  /** Title of the page and of the browser tab. */
  title: string;
  /** Replaces the title on the page. */
  heading?: ReactNode;
  /** One sentence about the purpose of the page. */
  description?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function Page({ title, heading, description, actions, children }: Props) {
  useEffect(() => {
    document.title = `${title} · Payment orchestrator`;
  }, [title]);
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{heading ?? title}</h1>
          {description !== undefined && <p className="muted">{description}</p>}
        </div>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}
