import { type ReactNode, useEffect } from 'react';

interface Props {
  /** Also of the browser's tab. */
  title: string;
  /** In place of the title on the page. */
  heading?: ReactNode;
  /** One sentence: what the page is for. */
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
