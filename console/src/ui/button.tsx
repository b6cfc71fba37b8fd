import type { ComponentProps } from 'react';

interface Props extends ComponentProps<'button'> {
  /** `primary`: the one thing that a page is for; `danger`: cannot be taken back. */
  look?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** It has been pressed, and is not done. */
  isBusy?: boolean;
}

export const Button = ({ look = 'plain', isBusy = false, disabled, children, ...rest }: Props) => (
  <button
    type="button"
    {...rest}
    className={`button button-${look}`}
    disabled={disabled === true || isBusy}
    aria-busy={isBusy}
  >
    {children}
  </button>
);
