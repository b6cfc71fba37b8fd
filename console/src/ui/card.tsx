import { type ReactNode, useId } from 'react';

interface Props {
  title: ReactNode;
  actions?: ReactNode;
  /** Without padding, for a table that fills the card. */
  isFlush?: boolean;
  children: ReactNode;
}

export function Card({ title, actions, isFlush = false, children }: Props) {
  const id = useId();
  return (
    <section className={isFlush ? 'card card-flush' : 'card'} aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </div>
      <div className="card-body">{children}</div>
    </section>
  );
}
