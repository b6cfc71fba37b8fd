import { decideScenario, type PreparedScenario } from './scenario.js';

/** A change of one field, in the language of `POST /flows/simulate`, `definition.…` where it takes a draft. */
export interface Change {
  field: string;
  /** `undefined`: the field is absent. */
  from: unknown;
  to: unknown;
}

/** A change that may be enough; it is tried at most once, however many shops it is tried for. */
export class Candidate implements Change {
  private pick: { shopId: number | undefined } | undefined;

  constructor(
    readonly field: string,
    readonly from: unknown,
    readonly to: unknown,
    private readonly apply: () => PreparedScenario,
  ) {}

  /** Whether the decision with the change picks the shop. */
  picks(shopId: number): boolean {
    this.pick ??= { shopId: decideScenario(this.apply()).shop?.shop.id };
    return this.pick.shopId === shopId;
  }
}
