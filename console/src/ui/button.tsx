import type { ComponentProps, MouseEvent } from 'react';

interface Props extends ComponentProps<'button'> {
  /** `primary`: the one thing that a page is for; `danger`: cannot be taken back. */
  look?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** It has been pressed, and is not done. */
  isBusy?: boolean;
}

/** A busy one does nothing; it is not disabled, which would take the focus away from it. */
export const Button = ({ look = 'plain', isBusy = false, onClick, children, ...rest }: Props) => (
  <button
    type="button"
    {...rest}
    className={`button button-${look}`}
    onClick={isBusy ? doNothing : onClick}
    aria-disabled={isBusy || undefined}
    aria-busy={isBusy}
  >
    {children}
  </button>
);

/** Nor is its form sent, by Enter either. */
const doNothing = (event: MouseEvent): void => event.preventDefault();
