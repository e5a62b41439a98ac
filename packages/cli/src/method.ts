import type { Landlord } from '@landlord/sdk';

/** A method of the SDK: JSON, a list of pages, a file or a stream. */
export type Call = (input: object, options?: object) => PromiseLike<unknown> & AsyncIterable<unknown>;

/** The method of the SDK with the name `group.method`. */
export function methodNamed(landlord: Landlord, operation: string): Call {
  const method = lookUp(landlord, operation);
  if (!method) throw new TypeError(`The SDK has no method ${operation}.`);
  return method;
}

/** Whether the SDK has a method with the name. */
export const hasMethod = (landlord: Landlord, operation: string): boolean => lookUp(landlord, operation) !== undefined;

function lookUp(landlord: Landlord, operation: string): Call | undefined {
  const [group = '', name = ''] = operation.split('.');
  return (landlord as unknown as Record<string, Record<string, Call>>)[group]?.[name];
}
