import { Link } from '@tanstack/react-router';
import { EmptyState } from '../ui/empty-state';

export const NotFound = () => (
  <EmptyState title="There is no such page">
    <Link to="/">Home</Link>
  </EmptyState>
);
