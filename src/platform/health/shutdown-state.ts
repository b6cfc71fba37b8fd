import { Injectable } from '@nestjs/common';

/** Whether this process is on its way out, so that it no longer counts as ready. */
@Injectable()
export class ShutdownState {
  private begun = false;

  begin(): void {
    this.begun = true;
  }

  get isShuttingDown(): boolean {
    return this.begun;
  }
}
