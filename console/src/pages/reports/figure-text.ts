import { percentText } from '../../ui/percent';
import type { ReportName } from './reports-search';

const AMOUNT = new Intl.NumberFormat('en', { maximumFractionDigits: 2 });

/** A figure without its currency, which the title names. */
export const figureText = (report: ReportName, value: number): string =>
  report === 'approvals' ? percentText(value) : AMOUNT.format(value);
