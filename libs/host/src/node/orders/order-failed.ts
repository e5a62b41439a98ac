/** An order that can never be performed. The message is for people. */
export class OrderFailed extends Error {}
