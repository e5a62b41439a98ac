const EXAMPLE = Symbol('landlord.example');

/**
 * A body that the routes of the class accept. /docs fills it in, and generators show it. Ids, tokens and moments stand for those of
 * the reader. Without it, a page would send every member at once, also those that exclude each other.
 */
export const Example =
  <T extends object>(example: T): ClassDecorator =>
  (type) =>
    Reflect.defineMetadata(EXAMPLE, example, type);

/** The example of a class itself, not of its base. */
export const exampleOf = (type: object): object | undefined =>
  Reflect.getOwnMetadata(EXAMPLE, type) as object | undefined;
