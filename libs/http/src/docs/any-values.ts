import { ApiProperty, type OpenAPIObject } from '@nestjs/swagger';

/** What the module of Nest takes in place of a type. */
const ANY = [{}];

/**
 * A member that may have any JSON value. The description names the kinds: generated Java does not compile with a choice that has a
 * list, and generated Go has no type for one.
 */
export const ApiAnyValue = (description: string): PropertyDecorator => ApiProperty({ anyOf: ANY, description });

/** Removes what stands for "any value": a schema without a type takes every value. */
export function dropChoicesOfAny(document: OpenAPIObject): OpenAPIObject {
  for (const { properties = {} } of Object.values(document.components?.schemas ?? {}) as {
    properties?: Record<string, { anyOf?: object[] }>;
  }[])
    for (const member of Object.values(properties))
      if (JSON.stringify(member.anyOf) === JSON.stringify(ANY)) delete member.anyOf;
  return document;
}
