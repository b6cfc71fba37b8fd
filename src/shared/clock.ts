/** Where the time comes from; injected so that tests can set it. Due times of deliveries use the database's clock instead. */
export abstract class Clock {
  abstract now(): Date;
}

export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}
