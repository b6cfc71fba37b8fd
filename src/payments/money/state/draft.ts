import { apply } from './apply.js';
import type { Effect, OpenedOperation, RecordedResult } from './effect.js';
import { isOpen, type OperationKind } from './operation.js';
import { captureOf, type MoneyOperation, type Moment, type MoneyState } from './state.js';

/** A decision in the making: the effects so far, and the state after them. */
export class Draft {
  readonly effects: Effect[] = [];

  constructor(
    public state: MoneyState,
    readonly moment: Moment,
  ) {}

  add(effect: Effect): void {
    this.effects.push(effect);
    this.state = apply(this.state, effect);
  }

  /** The attempt's operations of a kind. */
  of(attempt: number, kind: OperationKind): MoneyOperation[] {
    return this.state.operations.filter((row) => row.attempt === attempt && row.kind === kind);
  }

  operation(id: number): MoneyOperation | undefined {
    return this.state.operations.find((row) => row.id === id);
  }

  /** Opens an operation, unless one of the attempt is under way or done. Returns it. */
  open(operation: Omit<OpenedOperation, 'refund_id'>): MoneyOperation {
    const known = this.of(operation.attempt, operation.kind).find((row) => row.state !== 'refused');
    if (!known) return this.openNew({ ...operation, refund_id: null });
    if (operation.isCalledNow && isOpen(known)) this.add({ do: 'call', operation: known.id });
    return this.operation(known.id)!;
  }

  openNew(operation: OpenedOperation): MoneyOperation {
    const id = this.newId();
    this.add({ do: 'open', id, operation });
    return this.operation(id)!;
  }

  newId(): number {
    const ids = [...this.state.operations, ...this.state.refunds].map((row) => row.id);
    return Math.min(0, ...ids) - 1;
  }

  /** Closes the attempt's open operation of a kind. */
  close(attempt: number, kind: OperationKind, result: RecordedResult): MoneyOperation | undefined {
    const row = this.of(attempt, kind).find(isOpen);
    if (row) this.record(row, result);
    return row;
  }

  /** Records a result. A capture that was not made is an event for the merchant. */
  record(row: MoneyOperation, record: RecordedResult): void {
    this.add({ do: 'record', operation: row.id, record });
    if (row.kind === 'capture' && record.state === 'refused') this.add({ do: 'capture_failed', operation: row.id });
  }

  /**
   * Closes our capture of the attempt after a report of a capture: confirmed if it may be this one, refused if another amount
   * was captured at the provider. `captured`: decimal text; absent: unknown.
   */
  closeCapture(attempt: number, captured: string | undefined): void {
    const capture = captureOf(this.state.operations, attempt);
    if (!capture || !isOpen(capture)) return;
    const isOurs = captured === undefined || Number(captured) === Number(capture.amount);
    const reason = isOurs ? undefined : 'another amount was captured at the provider';
    this.record(capture, { state: isOurs ? 'confirmed' : 'refused', lastAnswer: 'captured', reason });
  }
}
