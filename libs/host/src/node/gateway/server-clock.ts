/** The time of the server, from its answers, so that access rules end at the right time on a node with a wrong clock. */
export class ServerClock {
  private offset: number;

  constructor(offsetMs = 0) {
    this.offset = offsetMs;
  }

  /** Server time minus this machine's time, in milliseconds. */
  get offsetMs(): number {
    return this.offset;
  }

  /** Uses the time of an answer that has just arrived. Ignores a text that is not a time. */
  learn(serverTime: string | undefined): void {
    const time = Date.parse(serverTime ?? '');
    if (!Number.isNaN(time)) this.offset = time - Date.now();
  }
}
