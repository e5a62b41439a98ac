/** The name of this installation. All its names and tags contain it. */
export class Installation {
  constructor(readonly name: string) {}
}
