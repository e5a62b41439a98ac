/** What this installation is called; part of every name and tag that it gives. */
export class Installation {
  constructor(readonly name: string) {}
}
