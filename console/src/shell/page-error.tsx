import type { ErrorComponentProps } from '@tanstack/react-router';
import { ProblemNotice } from '../ui/problem-notice';

/** A page that fails leaves the others usable. */
export const PageError = ({ error, reset }: ErrorComponentProps) => <ProblemNotice error={error} retry={reset} />;
