import type { ComponentProps, MouseEvent } from 'react';

interface Props extends ComponentProps<'button'> {
  /** `primary`: the main action of a page or dialog; `danger`: an action that cannot be undone. */
  variant?: 'plain' | 'primary' | 'danger' | 'quiet';
  /** Whether its action is running. */
  isBusy?: boolean;
  /** For a state that may change while the button has the focus; otherwise use `disabled`. */
  isUnavailable?: boolean;
}

/** A busy or unavailable button ignores clicks. It is not disabled, because that would remove the focus from it. */
export const Button = ({
  variant = 'plain',
  isBusy = false,
  isUnavailable = false,
  onClick,
  children,
  ...rest
}: Props) => (
  <button
    type="button"
    {...rest}
    className={`button button-${variant}`}
    onClick={isBusy || isUnavailable ? doNothing : onClick}
    aria-disabled={isBusy || isUnavailable || undefined}
    aria-busy={isBusy}
  >
    {children}
  </button>
);

/** Keeps a form from being sent, by Enter as well. */
const doNothing = (event: MouseEvent): void => event.preventDefault();
