import page from '../../../../docs/webhook-errors.md?raw';
import { errorsIn } from './answer-meaning';

export const EXPLAINED_ERRORS = errorsIn(page);
