import { parse, stringify } from 'yaml';

/** The value as YAML. Loaded on use: the package is large. */
export const yamlOf = (value: unknown): string =>
  // The package puts texts with control characters between double quotes, where this is an escape.
  stringify(value)
    .trimEnd()
    .replaceAll(/[\u007F-\u009F]/g, (one) => `\\x${one.charCodeAt(0).toString(16)}`);

/** The value of a text. @throws what `refusal` makes of the message of a syntax error */
export function yamlValue(text: string, refusal: (message: string) => Error): unknown {
  try {
    return parse(text) as unknown;
  } catch (error) {
    throw refusal((error as Error).message);
  }
}
