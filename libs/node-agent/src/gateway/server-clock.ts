/** The server's time, learnt from its answers, so that a node with a wrong clock ends access rules when it should. */
export class ServerClock {
  private offset: number;

  constructor(offsetMs = 0) {
    this.offset = offsetMs;
  }

  /** Server time minus this machine's time, in milliseconds. */
  get offsetMs(): number {
    return this.offset;
  }

  /** Takes the time of an answer that has just arrived; a text that is not a time is ignored. */
  learn(serverTime: string | undefined): void {
    const time = Date.parse(serverTime ?? '');
    if (!Number.isNaN(time)) this.offset = time - Date.now();
  }
}
