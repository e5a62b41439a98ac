/** An order that cannot be carried out, now or later; the message is what people read. */
export class OrderFailed extends Error {}
